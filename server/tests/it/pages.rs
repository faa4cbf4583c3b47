//! The pages as a browser gets them before any script has run.

use reqwest::{Method, StatusCode, header};

use crate::support::Studio;

#[tokio::test]
async fn who_is_signed_out_is_led_to_the_sign_in_and_back() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.stranger();
    let open = |path: &str| client.request(Method::GET, path).header(header::ACCEPT, "text/html").send();
    let first = open("/").await.unwrap();
    assert_eq!(first.headers()[header::LOCATION], "/batches");
    let response = open("/batches").await.unwrap();
    assert!(response.status().is_redirection(), "{}", response.status());
    let location = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    assert!(location.starts_with("/sign-in"), "{location}");

    // The form, as a browser without scripts posts it.
    let post = |password: &str| {
        client
            .request(Method::POST, "/actions/sign-in")
            .header(header::ACCEPT, "text/html")
            .form(&[("name", "rowan"), ("password", password), ("next", "/")])
            .send()
    };
    let wrong = post("wrong").await.unwrap();
    assert!(wrong.status().is_redirection());
    let page = client.get(wrong.headers()[header::LOCATION].to_str().unwrap()).await.text().await.unwrap();
    assert!(page.contains("wrong"), "the page says so: {page}");
    let right = post("rowan-password").await.unwrap();
    assert_eq!(right.headers()[header::LOCATION], "/");
    assert_eq!(open("/batches").await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn the_review_page_holds_real_pictures_before_any_script() {
    let studio = Studio::with_batch(4);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let batch = client.batch().await;
    let page = client.get(&format!("/batches/{}", batch["id"].as_str().unwrap())).await;
    assert_eq!(page.status(), StatusCode::OK);
    let page = page.text().await.unwrap();
    for path in client.thumbnails().await {
        assert!(page.contains(&format!("src=\"{path}\"")), "{path}");
    }
    assert_eq!(page.matches("loading=\"lazy\"").count(), 4);
}

#[tokio::test]
async fn a_page_that_is_not_there_says_so_with_its_status() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    for path in ["/no-such-page", "/batches/01890000-0000-7000-8000-000000000000"] {
        let response = client.get(path).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(response.headers()[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/html"));
    }
}
