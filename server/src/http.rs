//! The edge: routes, layers, problem documents, cookies, pages. No rule lives here: a handler parses, asks the
//! studio and answers.

mod admit;
mod api;
mod etag;
mod form;
mod layers;
mod media;
mod media_route;
mod metrics;
mod pages;
mod problem;
mod range;
mod request;
mod router;
mod site;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use self::{
    router::router,
    state::{AppState, Parts},
};
