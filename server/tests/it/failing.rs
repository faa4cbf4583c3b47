//! Originals that cannot be rendered any more: admins see which and why, and have them tried again.

use std::fs;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::support::{Studio, problem};

#[tokio::test]
async fn an_admin_sees_what_cannot_be_rendered_and_has_it_tried_again() {
    let studio = Studio::with_batch(1);
    // As after a damage of the disk: the original is torn, and its thumbnail is gone.
    fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve(&[]);
    let (ada, rowan) = (server.client("ada").await, server.client("rowan").await);
    let [asset] = ada.assets().await.try_into().unwrap();
    let sha256 = asset["sha256"].as_str().unwrap();
    let path = studio.data().join("originals").join(&sha256[..2]).join(&sha256[2..4]).join(sha256);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let thumbnail = format!("/api/assets/{}/thumbnail", asset["id"].as_str().unwrap());
    problem(rowan.get(&thumbnail).await, StatusCode::INTERNAL_SERVER_ERROR, "internal").await;

    let failing = ada.json("/api/failing").await;
    let [one] = failing["failing"].as_array().unwrap().as_slice() else { panic!("{failing}") };
    assert_eq!((one["sha256"].as_str(), one["recipe"].as_str()), (Some(sha256), Some("thumbnail")));
    assert!(one["reason"].as_str().unwrap().contains("PNG"), "{one}");
    assert_eq!(one["pictures"][0]["batch_title"], "Spring");
    assert_eq!(one["pictures"][0]["original_name"], "0000.png");
    let page = ada.get("/failing").await.text().await.unwrap();
    assert!(page.contains("0000.png") && page.contains("Try again"), "{page}");
    let metrics = server.stranger().get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("avatars_renders_failing 1"), "{metrics}");

    problem(rowan.get("/api/failing").await, StatusCode::FORBIDDEN, "forbidden").await;
    assert_eq!(rowan.get("/failing").await.status(), StatusCode::FORBIDDEN);
    let forget = format!("/api/failing/{sha256}");
    let refused = rowan.request(Method::DELETE, &forget).send().await.unwrap();
    problem(refused, StatusCode::FORBIDDEN, "forbidden").await;
    problem(server.stranger().get("/api/failing").await, StatusCode::UNAUTHORIZED, "signed-out").await;

    // Mended, but still remembered as failing.
    fs::write(&path, &whole).unwrap();
    assert_eq!(rowan.get(&thumbnail).await.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(ada.request(Method::DELETE, &forget).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(rowan.get(&thumbnail).await.status(), StatusCode::OK);
    assert_eq!(ada.json("/api/failing").await["failing"], Value::Array(Vec::new()));
    problem(ada.request(Method::DELETE, &forget).send().await.unwrap(), StatusCode::NOT_FOUND, "not-found").await;
}

#[tokio::test]
async fn the_button_of_the_page_has_a_picture_tried_again_without_scripts() {
    let studio = Studio::with_batch(1);
    fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve(&[]);
    let ada = server.client("ada").await;
    let [asset] = ada.assets().await.try_into().unwrap();
    let sha256 = asset["sha256"].as_str().unwrap();
    let path = studio.data().join("originals").join(&sha256[..2]).join(&sha256[2..4]).join(sha256);
    fs::write(&path, b"no picture at all").unwrap();
    let thumbnail = format!("/api/assets/{}/thumbnail", asset["id"].as_str().unwrap());
    assert_eq!(ada.get(&thumbnail).await.status(), StatusCode::INTERNAL_SERVER_ERROR);

    let form = ada.request(Method::POST, "/actions/try-again").header("accept", "text/html");
    let sent_on = form.form(&[("sha256", sha256)]).send().await.unwrap();
    assert_eq!(
        (sent_on.status(), sent_on.headers()["location"].to_str().unwrap()),
        (StatusCode::SEE_OTHER, "/failing")
    );
    let page = ada.get("/failing").await.text().await.unwrap();
    assert!(page.contains("every picture that was asked for could be shown"), "{page}");
}
