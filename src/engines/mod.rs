//! The built-in reference engines, each a plain UCI server over any reader and writer.
//!
//! They do not know that anyone measures them.
