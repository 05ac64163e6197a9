//! What a paper says of how games were played and how their rating was made.

mod audited;
mod latex;
mod played;
mod rating;

pub use audited::audit_words;
pub use latex::methods_latex;
pub use played::methods;
pub use rating::{match_words, observation_clause, rating_words};
