//! An outside authority: a few lines of anything that answer 200, 401 or 403.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, extract::State, http::HeaderMap, response::IntoResponse, routing::get};
use futures_util::future::join_all;
use reqwest::{Method, StatusCode, header};
use tokio::net::TcpListener;

use crate::support::{Studio, problem};

/// Lets in whoever has the cookie `who=rowan`, to the family `reed`.
#[derive(Clone, Default)]
struct Gate {
    asking: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    heard: Arc<Mutex<Vec<HeaderMap>>>,
}

async fn answer(State(gate): State<Gate>, headers: HeaderMap) -> impl IntoResponse {
    gate.most.fetch_max(gate.asking.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    gate.asking.fetch_sub(1, Ordering::SeqCst);
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let status = match (text("cookie").as_str(), text("x-avatars-family").as_str()) {
        ("who=rowan", "reed" | "") => StatusCode::OK,
        ("who=rowan" | "who=mallory", _) => StatusCode::FORBIDDEN,
        _ => StatusCode::UNAUTHORIZED,
    };
    gate.heard.lock().unwrap().push(headers);
    (status, [("remote-user", "rowan")], "whatever it says")
}

/// Serves the gate; its address.
async fn open(gate: Gate) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/verify", listener.local_addr().unwrap());
    let router = Router::new().route("/verify", get(answer)).with_state(gate);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The thumbnails of the only batch, as the built-in authority shows them to an admin.
async fn thumbnails(studio: &Studio) -> Vec<String> {
    studio.serve(&[]).client("ada").await.thumbnails().await
}

#[tokio::test]
async fn every_picture_is_asked_about_with_its_callers_own_cookie_over_few_connections() {
    let studio = Studio::with_batch(30);
    let paths = thumbnails(&studio).await;
    let gate = Gate::default();
    let url = open(gate.clone()).await;
    let server = studio.serve(&[("AVATARS_AUTHORITY_URL", &url), ("AVATARS_AUTHORITY_CONNECTIONS", "3")]);
    let client = server.stranger();
    let ask = async |path: &String, cookie: &'static str| {
        client.request(Method::GET, path).header(header::COOKIE, cookie).send().await.unwrap().status()
    };

    let statuses = join_all(paths.iter().enumerate().map(async |(number, path)| {
        let cookie = ["who=rowan", "who=mallory", "who=nobody"][number % 3];
        (cookie, ask(path, cookie).await)
    }))
    .await;
    for (cookie, status) in statuses {
        let expected = match cookie {
            "who=rowan" => StatusCode::OK,
            "who=mallory" => StatusCode::FORBIDDEN,
            _ => StatusCode::UNAUTHORIZED,
        };
        assert_eq!(status, expected, "{cookie}");
    }
    assert!(gate.most.load(Ordering::SeqCst) <= 3, "exchanges at once");
    let heard = gate.heard.lock().unwrap();
    assert_eq!(heard.len(), 30, "one question a picture");
    for headers in heard.iter() {
        assert_eq!(headers.get_all(header::COOKIE).iter().count(), 1, "the caller's cookie and nobody else's");
        assert_eq!(headers["x-avatars-action"], "view");
        assert_eq!(
            (&headers["x-avatars-family"], &headers["x-avatars-subject"]),
            (&"reed".parse().unwrap(), &"ida".parse().unwrap())
        );
        assert_eq!(headers["x-forwarded-method"], "GET");
        assert!(paths.iter().any(|path| headers["x-forwarded-uri"] == path.as_str()));
    }
}

#[tokio::test]
async fn who_the_authority_lets_in_decides_under_the_name_that_it_gives() {
    let studio = Studio::with_batch(1);
    let [path] = thumbnails(&studio).await.try_into().unwrap();
    let url = open(Gate::default()).await;
    let server = studio.serve(&[("AVATARS_AUTHORITY_URL", &url)]);
    let asset = path.replace("/thumbnail", "");
    let request = |method, path: &str| server.stranger().request(method, path).header(header::COOKIE, "who=rowan");
    let seen: serde_json::Value = request(Method::GET, &asset).send().await.unwrap().json().await.unwrap();
    let decision = serde_json::json!({"decision": "approved", "version": seen["version"]});
    let decided = request(Method::PUT, &format!("{asset}/decision")).json(&decision).send().await.unwrap();
    let decided: serde_json::Value = decided.json().await.unwrap();
    assert_eq!(decided["decided_by"], "rowan", "{decided}");
}

#[tokio::test]
async fn an_authority_that_is_gone_lets_nobody_in_and_holds_nobody_up() {
    let studio = Studio::with_batch(20);
    let paths = thumbnails(&studio).await;
    // An address where nobody listens any more.
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let server = studio.serve(&[("AVATARS_AUTHORITY_URL", &format!("http://{gone}/"))]);
    let client = server.stranger();
    for path in &paths {
        let response = client.request(Method::GET, path).header(header::COOKIE, "who=rowan").send().await.unwrap();
        problem(response, StatusCode::SERVICE_UNAVAILABLE, "unavailable").await;
    }
    assert_eq!(client.get("/api/health").await.status(), StatusCode::OK);
}
