//! What the pages are made of: one component a file.
//!
//! `review_desk` is the one island; what it uses goes to the browser, the rest is rendered on the server alone.

mod action_bar;
mod banner;
pub(crate) mod clock;
pub(crate) mod dom;
mod filters;
mod gallery;
pub(crate) mod icon;
mod keyboard;
mod nearness;
pub(crate) mod progress;
mod retry_image;
pub(crate) mod review_desk;
mod size_choice;
mod tile;
mod toast;
mod viewer;
