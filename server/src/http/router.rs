//! Every route, in one place.

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    admit,
    api::{assets, authorize, batches, decisions, events, failing, fetch, health, held, missing, session, upload},
    layers, media, metrics, pages,
    problem::Problem,
    site,
    state::AppState,
};
use crate::{admission::Slots, config::ConfigError};

#[derive(OpenApi)]
#[openapi(info(
    title = "Avatars",
    description = "A review studio for batches of candidate pictures. \
    Errors are application/problem+json (RFC 9457). Sign in for a cookie, or send a bearer token."
))]
struct Document;

/// The whole application, behind the admission.
///
/// # Errors
/// Settings that cannot work together.
pub(crate) fn router(state: AppState, slots: Slots) -> Result<Router, ConfigError> {
    let (api, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(health::show_health))
        .routes(routes!(health::show_readiness))
        .routes(routes!(session::sign_in, session::sign_out))
        .routes(routes!(batches::list_batches, batches::create_batch))
        .routes(routes!(batches::show_batch))
        .routes(routes!(batches::list_assets))
        .routes(routes!(missing::list_missing))
        .routes(routes!(decisions::decide_many))
        .routes(routes!(assets::show_asset))
        .routes(routes!(assets::show_history))
        .routes(routes!(decisions::decide_one))
        .routes(routes!(decisions::undo_change))
        .routes(routes!(events::stream_events))
        .routes(routes!(fetch::fetch_assets))
        .routes(routes!(authorize::authorize_media))
        .routes(routes!(held::list_held))
        .routes(routes!(held::retry_held))
        .routes(routes!(held::discard_held))
        .routes(routes!(failing::list_failing))
        .routes(routes!(failing::forget_failing))
        .routes(routes!(media::file))
        .routes(routes!(media::thumbnail))
        .routes(routes!(media::preview))
        .routes(routes!(media::poster))
        .routes(routes!(media::export))
        .split_for_parts();
    let document = axum::Json(document);
    let router = api
        .route("/api/openapi.json", get(async move || document))
        .route("/metrics", get(metrics::show_metrics))
        .merge(
            // The size of each file is bounded as it streams.
            Router::new()
                .route("/api/batches/{id}/assets", post(upload::upload_assets))
                .layer(DefaultBodyLimit::max(upload::largest_request(state.intake.upload_limit()))),
        )
        .nest("/internal", media::internal())
        .route("/pkg/{*name}", get(site::package_file))
        .route("/favicon.svg", get(site::favicon))
        .merge(pages::routes(&state))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .fallback(pages::not_found)
        .with_state(state.clone());
    Ok(layers::around(router, &state)?.layer(admit::layer(slots)))
}
