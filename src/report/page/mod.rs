//! One self-contained HTML page: model, template, safety.

mod document;
mod render;

pub use document::{Diagram, Fact, Gallery, Item, Page, PageFigure, PageTable, Section};
pub use render::PageError;
