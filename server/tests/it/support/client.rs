//! An HTTP client with a cookie jar, and the questions that most tests ask.

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    pub(crate) fn new(base: String) -> Self {
        // The client is built with TLS, for whoever needs it, and wants to know whose: any time but the first is too late.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().cookie_store(true).redirect(reqwest::redirect::Policy::none());
        Self { http: http.build().unwrap(), base }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// As [`Self::get`], where the server may be gone.
    pub(crate) async fn try_get(&self, path: &str) -> reqwest::Result<bytes::Bytes> {
        self.request(Method::GET, path).send().await?.bytes().await
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "GET {path}");
        response.json().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        self.request(Method::POST, path).json(&body).send().await.unwrap()
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Response {
        self.request(Method::PUT, path).json(&body).send().await.unwrap()
    }

    pub(crate) async fn sign_in(&self, name: &str, password: &str) {
        let response = self.post("/api/session", json!({ "name": name, "password": password })).await;
        assert_eq!(response.status(), StatusCode::NO_CONTENT, "signing in as {name}");
    }

    /// Signs in as an account made by [`super::Studio::account`]; the cookie, for a request written by hand.
    pub(crate) async fn session(&self, name: &str) -> String {
        let body = json!({ "name": name, "password": format!("{name}-password") });
        let response = self.post("/api/session", body).await;
        response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    /// The only batch that this client sees.
    pub(crate) async fn batch(&self) -> Value {
        let batches = self.json("/api/batches").await;
        let [batch] = batches["batches"].as_array().unwrap().as_slice() else { panic!("one batch in {batches}") };
        batch.clone()
    }

    /// The assets of the only batch.
    pub(crate) async fn assets(&self) -> Vec<Value> {
        self.assets_of(&self.batch().await).await
    }

    async fn assets_of(&self, batch: &Value) -> Vec<Value> {
        let page = self.json(&format!("/api/batches/{}/assets", batch["id"].as_str().unwrap())).await;
        page["assets"].as_array().unwrap().clone()
    }

    /// The addresses of the thumbnails of all batches.
    pub(crate) async fn thumbnails(&self) -> Vec<String> {
        let mut thumbnails = Vec::new();
        for batch in self.json("/api/batches").await["batches"].as_array().unwrap() {
            let assets = self.assets_of(batch).await;
            thumbnails
                .extend(assets.iter().map(|asset| format!("/api/assets/{}/thumbnail", asset["id"].as_str().unwrap())));
        }
        thumbnails
    }

    pub(crate) async fn decide(&self, asset: &Value, decision: &str) -> Response {
        let path = format!("/api/assets/{}/decision", asset["id"].as_str().unwrap());
        self.put(&path, json!({ "decision": decision, "version": asset["version"] })).await
    }
}

/// Reads a problem document and checks what every one must have.
pub(crate) async fn problem(response: Response, status: StatusCode, code: &str) -> Value {
    assert_eq!(response.status(), status);
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    assert_eq!(response.headers()["cache-control"], "no-store");
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        assert!(response.headers().contains_key("retry-after"), "a wait is named");
    }
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], status.as_u16());
    assert_eq!(problem["type"], format!("urn:avatars:problem:{code}"));
    assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
    problem
}
