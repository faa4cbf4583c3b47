//! Deciding, in the words of the JSON API.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Studio, problem};

#[tokio::test]
async fn a_decision_is_kept_counted_and_told() {
    let studio = Studio::with_batch(3);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let assets = client.assets().await;
    assert_eq!(client.batch().await["counts"], json!({"total": 3, "undecided": 3, "approved": 0, "rejected": 0}));

    let decided: Value = client.decide(&assets[1], "approved").await.json().await.unwrap();
    assert_eq!(decided["decision"], "approved");
    assert_eq!(decided["version"], assets[1]["version"].as_u64().unwrap() + 1);
    assert_eq!(client.batch().await["counts"], json!({"total": 3, "undecided": 2, "approved": 1, "rejected": 0}));

    let now = client.assets().await;
    assert_eq!(now[1]["decision"], "approved");
    assert_eq!(now[1]["decided_by"], "rowan");
    assert!(now[1]["decided_at"].is_string());
    let history = client.json(&format!("/api/assets/{}/history", now[1]["id"].as_str().unwrap())).await;
    assert_eq!(history["history"][0]["before"], "undecided");
    assert_eq!(history["history"][0]["after"], "approved");
    assert_eq!(history["history"][0]["by"], "rowan");
}

#[tokio::test]
async fn a_stale_decision_is_refused_with_who_what_and_when() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let (ada, rowan) = (server.client("ada").await, server.client("rowan").await);
    let [asset] = rowan.assets().await.try_into().unwrap();
    assert_eq!(ada.decide(&asset, "rejected").await.status(), StatusCode::OK);

    let problem = problem(rowan.decide(&asset, "approved").await, StatusCode::CONFLICT, "stale").await;
    assert_eq!(problem["decision"], "rejected");
    assert_eq!(problem["decided_by"], "ada");
    assert!(problem["decided_at"].is_string());
    let [now] = rowan.assets().await.try_into().unwrap();
    assert_eq!(now["decision"], "rejected");
}

#[tokio::test]
async fn many_are_decided_all_or_nothing_and_undone_each_to_its_own() {
    let studio = Studio::with_batch(6);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let assets = client.assets().await;
    client.decide(&assets[0], "rejected").await;
    let path = format!("/api/batches/{}/decisions", client.batch().await["id"].as_str().unwrap());
    let asked = |assets: &[Value]| {
        let assets: Vec<_> =
            assets.iter().map(|asset| json!({"id": asset["id"], "version": asset["version"]})).collect();
        json!({"decision": "approved", "assets": assets})
    };

    // The first has moved on: nothing changes, and it alone is listed.
    let stale = problem(client.post(&path, asked(&assets)).await, StatusCode::CONFLICT, "stale").await;
    assert_eq!(stale["assets"].as_array().unwrap().len(), 1);
    assert_eq!(stale["assets"][0]["id"], assets[0]["id"]);
    assert_eq!(client.batch().await["counts"]["approved"], 0);

    let response = client.post(&path, asked(&client.assets().await)).await;
    assert_eq!(response.status(), StatusCode::OK);
    let change: Value = response.json().await.unwrap();
    assert_eq!(client.batch().await["counts"]["approved"], 6);

    let undo = format!("/api/changes/{}/undo", change["change"].as_str().unwrap());
    assert_eq!(client.post(&undo, json!({})).await.status(), StatusCode::OK);
    assert_eq!(client.batch().await["counts"], json!({"total": 6, "undecided": 5, "approved": 0, "rejected": 1}));
    assert_eq!(client.assets().await[0]["decision"], "rejected");
}

#[tokio::test]
async fn who_may_only_look_decides_nothing() {
    let studio = Studio::with_batch(1);
    studio.account("vera", &[]);
    studio.ok(&["grant", "vera", "viewer", "reed"]);
    let server = studio.serve(&[]);
    let vera = server.client("vera").await;
    let [asset] = vera.assets().await.try_into().unwrap();
    problem(vera.decide(&asset, "approved").await, StatusCode::FORBIDDEN, "forbidden").await;
}

#[tokio::test]
async fn what_cannot_be_a_decision_is_refused_with_a_reason() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [asset] = client.assets().await.try_into().unwrap();
    problem(client.decide(&asset, "maybe").await, StatusCode::UNPROCESSABLE_ENTITY, "invalid").await;
    problem(client.get("/api/batches/none").await, StatusCode::NOT_FOUND, "not-found").await;
    problem(client.get("/api/no-such-thing").await, StatusCode::NOT_FOUND, "not-found").await;
    problem(client.get("/api/session").await, StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed").await;
}

#[tokio::test]
async fn the_assets_of_a_batch_come_in_pages_and_by_filter() {
    let studio = Studio::with_batch(5);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let all = client.assets().await;
    client.decide(&all[3], "approved").await;
    let path = format!("/api/batches/{}/assets", client.batch().await["id"].as_str().unwrap());

    let first = client.json(&format!("{path}?limit=2")).await;
    let second = client.json(&format!("{path}?limit=2&after={}", first["next"].as_str().unwrap())).await;
    let third = client.json(&format!("{path}?limit=2&after={}", second["next"].as_str().unwrap())).await;
    let ids = |page: &Value| -> Vec<Value> {
        page["assets"].as_array().unwrap().iter().map(|asset| asset["id"].clone()).collect()
    };
    assert_eq!([ids(&first), ids(&second), ids(&third)].concat(), ids(&json!({"assets": all})));
    assert_eq!(third["next"], Value::Null);

    let approved = client.json(&format!("{path}?decision=approved&kind=candidate&subject=ida")).await;
    assert_eq!(ids(&approved), [all[3]["id"].clone()]);
    assert_eq!(ids(&client.json(&format!("{path}?kind=pipeline")).await), Vec::<Value>::new());
}

#[tokio::test]
async fn who_listens_is_told_of_decisions_that_they_may_see_and_of_no_others() {
    let studio = Studio::with_batch(1);
    studio.account("mallory", &[]);
    let server = studio.serve(&[]);
    let (rowan, mallory) = (server.client("rowan").await, server.client("mallory").await);
    let mut heard = rowan.get("/api/events").await;
    let mut kept_from = mallory.get("/api/events").await;
    assert_eq!(heard.headers()["content-type"], "text/event-stream");
    problem(server.stranger().get("/api/events").await, StatusCode::UNAUTHORIZED, "signed-out").await;

    let [asset] = rowan.assets().await.try_into().unwrap();
    rowan.decide(&asset, "approved").await;
    let told = String::from_utf8(heard.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(told.contains("event: decided") && told.contains(asset["id"].as_str().unwrap()), "{told}");

    // Both streams end with the server, and do not hold it up.
    let ended = tokio::task::spawn_blocking(move || server.terminate());
    assert_eq!(kept_from.chunk().await.unwrap(), None, "nothing was said");
    assert_eq!(heard.chunk().await.unwrap(), None);
    assert_eq!(ended.await.unwrap(), Some(0));
}
