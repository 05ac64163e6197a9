//! Integration tests: one binary, one module per subject.

mod audit;
mod book;
mod check;
mod classic;
mod committed_fingerprints;
mod coverage;
mod documents;
mod driver;
mod fallible;
mod fingerprint;
mod fit;
mod games;
mod golden_match;
mod input;
mod ladder;
mod layering;
mod legible;
mod mock;
mod openings;
mod oracle;
mod perft;
mod pgn;
mod protocol;
mod r;
mod rating;
mod rating_commands;
mod reference_positions;
mod refusals;
mod report;
mod report_audit;
mod resume;
mod runner_cases;
mod session;

mod statistics;
mod support;
