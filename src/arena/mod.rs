//! Games: one between two engines, and many on many workers.
//!
//! Knows nothing of ratings or ladders.
