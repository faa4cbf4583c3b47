//! The document around the pages, and the table of the pages.

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{Link, MetaTags, Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Redirect, Route, Router, Routes},
    path,
};

use crate::{
    components::icon::Sprite,
    pages::{
        batches::Batches, failing::Failing, new_batch::NewBatch, problem::NotFound, quarantine::Quarantine,
        review::Review, sign_in::SignIn,
    },
    site::SiteFiles,
};

/// Light or dark before the first paint, and the button that changes it.
const THEME: &str = include_str!("shell/theme.js");

/// Short names while they are typed.
const SLUG: &str = include_str!("shell/slug.js");

/// The browser's part in uploads.
const UPLOAD: &str = include_str!("shell/upload.js");

/// How many pictures load at once.
const LANES: &str = include_str!("shell/lanes.js");

/// Wakes the islands.
const WAKE: &str = include_str!("shell/wake.js");

/// The whole document. Contexts that the server provides: [`SiteFiles`], `Caller`, `Arc<dyn Studio>`.
///
/// Its type is erased here, so that the server does not compile every page once more.
pub fn shell() -> AnyView {
    let files = use_context::<SiteFiles>();
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <meta name="color-scheme" content="dark light" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                {files.map(|files| view! { <link rel="stylesheet" href=files.css.to_string() /> })}
                <script nonce=use_nonce()>{THEME}</script>
                <MetaTags />
            </head>
            <body>
                <Sprite />
                <App />
            </body>
        </html>
    }
    .into_any()
}

/// The pages by address. All are rendered whole before the first byte goes out, so that status and headers are right.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    // Only islands take part in hydration: nothing outside them leaves data in the page.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <Title formatter=|title: String| [title, "Avatars".to_owned()].join(" · ") />
        <Router>
            <Routes fallback=NotFound>
                <Route path=path!("/") view=|| view! { <Redirect path="/batches" /> } ssr=SsrMode::Async />
                <Route path=path!("/sign-in") view=SignIn ssr=SsrMode::Async />
                <Route path=path!("/batches") view=Batches ssr=SsrMode::Async />
                <Route path=path!("/batches/new") view=NewBatch ssr=SsrMode::Async />
                <Route path=path!("/batches/:id") view=Review ssr=SsrMode::Async />
                <Route path=path!("/quarantine") view=Quarantine ssr=SsrMode::Async />
                <Route path=path!("/failing") view=Failing ssr=SsrMode::Async />
            </Routes>
        </Router>
    }
    .into_any()
}

/// Fields that take a short name turn what is typed into one. Without it, they tell what was wrong afterwards.
#[component]
pub(crate) fn SlugFields() -> impl IntoView {
    view! { <script nonce=use_nonce()>{SLUG}</script> }
}

/// What finds, reads and sends files, for who may add pictures. It stands before the browser half, which calls it.
#[component]
pub(crate) fn UploadFiles() -> impl IntoView {
    view! {
        <SlugFields />
        <script nonce=use_nonce()>{UPLOAD}</script>
    }
}

/// Loads the browser half and wakes the islands of this page. Pages without one load nothing.
#[component]
pub(crate) fn Wake() -> impl IntoView {
    use_context::<SiteFiles>().map(|files| {
        let (js, wasm) = (files.js.to_string(), files.wasm.to_string());
        view! {
            <Link rel="modulepreload" href=js.clone() />
            <Link rel="preload" href=wasm.clone() as_="fetch" type_="application/wasm" crossorigin="" />
            <script nonce=use_nonce()>{LANES}</script>
            <script type="module" nonce=use_nonce() data-js=js data-wasm=wasm id="wake">
                {WAKE}
            </script>
        }
    })
}
