//! From scores to estimates and intervals: pure functions, no files, engines or clocks.
