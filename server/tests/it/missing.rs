//! Asking what of some files is still to be sent.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Client, Studio, problem};

async fn missing(client: &Client, batch: &str, subject: &str, kind: &str, sha256: &[&str]) -> Vec<String> {
    let asked = json!({"subject": subject, "kind": kind, "sha256": sha256});
    let response = client.post(&format!("/api/batches/{batch}/missing"), asked).await;
    assert_eq!(response.status(), StatusCode::OK);
    let told: Value = response.json().await.unwrap();
    assert_eq!(told.as_object().unwrap().len(), 1, "nothing else is told: {told}");
    told["missing"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_is_there_need_not_be_sent_and_what_is_elsewhere_is_not_told() {
    let studio = Studio::with_batch(3);
    studio.ok(&[
        "import",
        studio.path("incoming").to_str().unwrap(),
        "--family",
        "reed",
        "--subject",
        "otto",
        "--batch",
        "winter",
    ]);
    let server = studio.serve(&[]);
    let ada = server.client("ada").await;
    let batches = ada.json("/api/batches").await;
    let id = |slug: &str| {
        let batches = batches["batches"].as_array().unwrap();
        batches.iter().find(|batch| batch["slug"] == slug).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let (spring, winter) = (id("spring"), id("winter"));
    let listed = ada.json(&format!("/api/batches/{spring}/assets")).await;
    let hashes: Vec<&str> =
        listed["assets"].as_array().unwrap().iter().map(|asset| asset["sha256"].as_str().unwrap()).collect();
    let unknown = "0".repeat(64);
    let asked = [&[unknown.as_str()], hashes.as_slice()].concat();

    assert_eq!(missing(&ada, &spring, "ida", "candidate", &asked).await, [unknown.as_str()]);
    // The same bytes are in the store: of another subject, in another batch, of another kind. That counts for nothing.
    assert_eq!(missing(&ada, &spring, "otto", "candidate", &asked).await, asked);
    assert_eq!(missing(&ada, &winter, "ida", "candidate", &asked).await, asked);
    assert_eq!(missing(&ada, &spring, "ida", "pipeline", &asked).await, asked);
    assert_eq!(missing(&ada, &spring, "ida", "candidate", &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn only_who_may_import_there_may_ask() {
    let studio = Studio::with_batch(1);
    studio.account("mo", &[]);
    studio.ok(&["grant", "mo", "manager", "reed/ida"]);
    let server = studio.serve(&[]);
    let mo = server.client("mo").await;
    let path = format!("/api/batches/{}/missing", mo.batch().await["id"].as_str().unwrap());
    let asked = |subject: &str, sha256: Value| json!({"subject": subject, "kind": "candidate", "sha256": sha256});
    let one = json!(["0".repeat(64)]);

    assert_eq!(mo.post(&path, asked("ida", one.clone())).await.status(), StatusCode::OK);
    problem(mo.post(&path, asked("otto", one.clone())).await, StatusCode::FORBIDDEN, "forbidden").await;
    let rowan = server.client("rowan").await;
    problem(rowan.post(&path, asked("ida", one.clone())).await, StatusCode::FORBIDDEN, "forbidden").await;
    let nobody = server.stranger();
    problem(nobody.post(&path, asked("ida", one.clone())).await, StatusCode::UNAUTHORIZED, "signed-out").await;

    let many = json!(vec!["0".repeat(64); 1001]);
    for wrong in [json!(["abc"]), json!(["A".repeat(64)]), many] {
        problem(mo.post(&path, asked("ida", wrong)).await, StatusCode::UNPROCESSABLE_ENTITY, "invalid").await;
    }
    let nowhere = "/api/batches/01890000-0000-7000-8000-000000000000/missing";
    problem(mo.post(nowhere, asked("ida", one)).await, StatusCode::NOT_FOUND, "not-found").await;
    // Asking makes no subject.
    let ada = server.client("ada").await;
    assert_eq!(ada.post(&path, asked("newcomer", json!([]))).await.status(), StatusCode::OK);
    let page = ada.get(&path.replace("/api", "").replace("/missing", "")).await.text().await.unwrap();
    assert!(!page.contains("newcomer"));
}
