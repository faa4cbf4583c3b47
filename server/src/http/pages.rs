//! The pages: Leptos renders them on the server, with the studio and the caller as contexts.

use std::sync::Arc;

use app::{failing::FailingOriginals, held::HeldFiles, site::UploadLimit, studio::Studio};
use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, header::CONTENT_SECURITY_POLICY, request::Parts};
use leptos::{
    config::LeptosOptions,
    nonce::use_nonce,
    prelude::{provide_context, use_context},
};
use leptos_axum::{LeptosRoutes as _, ResponseOptions, generate_route_list};

use super::{problem::Problem, request::caller, state::AppState};

/// The routes of all pages and of the server functions behind them.
pub(crate) fn routes(state: &AppState) -> Router<AppState> {
    let context = {
        let state = state.clone();
        move || provide_contexts(&state)
    };
    Router::new().leptos_routes_with_context(state, generate_route_list(app::App), context, app::shell)
}

/// An address that names nothing: a page for people, a problem document for programs.
pub(crate) async fn not_found(State(state): State<AppState>, request: Request) -> Response {
    let path = request.uri().path();
    if ["/api/", "/internal/", "/pkg/", "/actions/"].iter().any(|prefix| path.starts_with(prefix)) {
        return Problem::not_found().into_response();
    }
    leptos_axum::render_app_async_with_context(move || provide_contexts(&state), app::shell)(request).await
}

/// What a page finds around it: the studio, who asks, how cookies are written, what may be uploaded, where the scripts
/// are.
fn provide_contexts(state: &AppState) {
    provide_context::<Arc<dyn Studio>>(state.studio.clone());
    provide_context::<Arc<dyn HeldFiles>>(state.held.clone());
    provide_context::<Arc<dyn FailingOriginals>>(state.failing.clone());
    provide_context(state.cookie);
    provide_context(UploadLimit(state.intake.upload_limit()));
    if let Some(files) = state.site.clone() {
        provide_context(files);
    }
    if let Some(parts) = use_context::<Parts>() {
        provide_context(caller(&parts));
    }
    if let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>())
        && let Ok(policy) = HeaderValue::from_str(&content_security_policy(&nonce))
    {
        response.insert_header(CONTENT_SECURITY_POLICY, policy);
    }
}

/// Only this page's own scripts run: each carries the nonce, and what they import is trusted with them.
fn content_security_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data: blob:; media-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; \
         frame-ancestors 'none'; base-uri 'none'"
    )
}

/// Leptos' own options: only what is left of them once the site is embedded and hashed by ourselves.
pub(crate) fn leptos_options() -> LeptosOptions {
    LeptosOptions::builder().output_name("avatars").build()
}
