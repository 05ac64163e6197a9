//! UCI text to typed values and back, in both directions.
