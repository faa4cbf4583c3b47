//! Signing in, and what an account may see.

use reqwest::{StatusCode, header};
use serde_json::json;

use crate::support::{Studio, problem};

#[tokio::test]
async fn a_session_is_a_cookie_out_of_reach_of_scripts_and_ends_on_the_server() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.stranger();
    let response = client.post("/api/session", json!({"name": "ada", "password": "ada-password"})).await;
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("avatars_session="));
    for word in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "plain http");
    assert_eq!(client.get("/api/batches").await.status(), StatusCode::OK);

    let session = cookie.split(';').next().unwrap().to_owned();
    let ended = client.request(reqwest::Method::DELETE, "/api/session").send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    let replayed = server.stranger().request(reqwest::Method::GET, "/api/batches").header(header::COOKIE, session);
    problem(replayed.send().await.unwrap(), StatusCode::UNAUTHORIZED, "signed-out").await;
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_are_told_alike_and_not_for_ever() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.stranger();
    for name in ["ada", "nobody"] {
        let response = client.post("/api/session", json!({"name": name, "password": "wrong"})).await;
        problem(response, StatusCode::UNAUTHORIZED, "wrong-password").await;
    }
    let mut last = StatusCode::UNAUTHORIZED;
    for _ in 0..50 {
        let response = client.post("/api/session", json!({"name": "ada", "password": "wrong"})).await;
        last = response.status();
        if last == StatusCode::TOO_MANY_REQUESTS {
            problem(response, last, "too-many-tries").await;
            break;
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS, "guessing is slowed down");
}

#[tokio::test]
async fn a_viewer_of_one_subject_sees_its_pictures_and_its_counts_alone() {
    let studio = Studio::with_batch(2);
    let pictures = studio.path("more");
    crate::support::write_pictures(&pictures, 0..5);
    let pictures = pictures.to_str().unwrap();
    studio.ok(&["import", pictures, "--family", "reed", "--subject", "tom", "--batch", "spring"]);
    studio.account("vera", &[]);
    studio.ok(&["grant", "vera", "viewer", "reed/tom"]);
    let server = studio.serve(&[]);

    let vera = server.client("vera").await;
    assert_eq!(vera.batch().await["counts"]["total"], 5);
    assert!(vera.assets().await.iter().all(|asset| asset["subject"] == "tom"));
    assert_eq!(server.client("rowan").await.batch().await["counts"]["total"], 7);
}

#[tokio::test]
async fn a_new_password_ends_the_sessions_that_the_old_one_opened() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let ran = studio.run_with_input(&["account", "password", "rowan"], "another one\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    problem(client.get("/api/batches").await, StatusCode::UNAUTHORIZED, "signed-out").await;
    server.stranger().sign_in("rowan", "another one").await;
}
