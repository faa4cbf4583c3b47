//! What keeps others out: same origin, headers, problem documents.

use reqwest::{Method, StatusCode, header};
use serde_json::json;

use crate::support::{Studio, problem};

#[tokio::test]
async fn a_change_asked_from_another_site_is_refused_and_changes_nothing() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [asset] = client.assets().await.try_into().unwrap();
    let path = format!("/api/assets/{}/decision", asset["id"].as_str().unwrap());
    let body = json!({"decision": "approved", "version": asset["version"]});
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://elsewhere.example")] {
        let response = client.request(Method::PUT, &path).header(name, value).json(&body).send().await.unwrap();
        problem(response, StatusCode::FORBIDDEN, "cross-origin").await;
    }
    assert_eq!(client.assets().await[0]["decision"], "undecided");
    let own = client.request(Method::PUT, &path).header("sec-fetch-site", "same-origin").json(&body);
    assert_eq!(own.send().await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn a_page_runs_its_own_scripts_alone() {
    let studio = Studio::new();
    let server = studio.serve(&[]);
    let first = server.stranger().get("/sign-in").await;
    let policy = first.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    assert_eq!(first.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert!(first.headers().contains_key("x-request-id"));
    let page = first.text().await.unwrap();
    for script in page.split("<script").skip(1) {
        assert!(script.split('>').next().unwrap().contains(&nonce), "a script without the nonce: {script}");
    }
    let second = server.stranger().get("/sign-in").await;
    assert_ne!(second.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap(), policy, "a nonce is used once");
}

#[tokio::test]
async fn figures_are_for_the_machine_itself_or_an_admin() {
    let studio = Studio::new();
    let server = studio.serve(&[]);
    let figures = server.stranger().get("/metrics").await.text().await.unwrap();
    for name in ["avatars_media_slots_in_use", "avatars_media_slots_waiting", "avatars_media_slots_total"] {
        assert!(figures.contains(name), "{name} in {figures}");
    }
    let proxied = server.stranger().request(Method::GET, "/metrics").header("x-forwarded-for", "203.0.113.9");
    problem(proxied.send().await.unwrap(), StatusCode::UNAUTHORIZED, "signed-out").await;
}

#[tokio::test]
async fn health_readiness_and_the_description_need_no_session() {
    let studio = Studio::new();
    let server = studio.serve(&[]);
    let client = server.stranger();
    assert_eq!(client.json("/api/health").await, json!({"status": "ok"}));
    assert_eq!(client.json("/api/ready").await["status"], "ready");
    let description = client.json("/api/openapi.json").await;
    for path in ["/api/session", "/api/batches/{id}/decisions", "/api/assets/{id}/export/{preset}"] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
}
