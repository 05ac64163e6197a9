//! What a paper says of how games were played and how their rating was made.

mod latex;
mod played;
mod rating;

pub use latex::methods_latex;
pub use played::methods;
pub use rating::{match_words, rating_words};
