//! Integration tests: one binary, one module per subject.

mod classic;
mod driver;
mod fit;
<<<<<<< HEAD
mod games;
=======
mod ladder;
>>>>>>> 769513d (Test ladders, resumption and refusals through the program; lock the run folder, check journal lines, name lines and hints)
mod layering;
mod mock;
mod openings;
mod perft;
mod pgn;
mod protocol;
mod rating;
mod refusals;
mod resume;
mod support;
