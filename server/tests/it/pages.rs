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

#[tokio::test]
async fn who_manages_a_family_creates_a_batch_by_a_plain_form_and_lands_on_it() {
    let studio = Studio::with_batch(1);
    studio.account("mo", &[]);
    studio.ok(&["grant", "mo", "manager", "reed"]);
    let server = studio.serve(&[]);
    let mo = server.client("mo").await;
    let list = mo.get("/batches").await.text().await.unwrap();
    assert!(list.contains("href=\"/batches/new\""), "the way there");
    let form = mo.get("/batches/new").await.text().await.unwrap();
    assert!(form.contains("<option value=\"reed\""), "{form}");
    assert!(!form.contains("new_family"), "only an admin names new families");

    let post = async |fields: &[(&str, &str)]| {
        let form = mo.request(Method::POST, "/actions/new-batch").header(header::ACCEPT, "text/html").form(fields);
        let response = form.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        response.headers()[header::LOCATION].to_str().unwrap().to_owned()
    };
    // Without scripts nobody has made a short name.
    let batch = post(&[("title", "Frühling 2027"), ("family", "reed"), ("slug", "")]).await;
    let page = mo.get(&batch).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.text().await.unwrap().contains("Frühling 2027"));
    let made = mo.json(&format!("/api{batch}")).await;
    assert_eq!((made["slug"].as_str(), made["family"].as_str()), (Some("fruhling-2027"), Some("reed")));

    let again = post(&[("title", "Frühling & \"Sommer\""), ("family", "reed"), ("slug", "fruhling-2027")]).await;
    assert!(again.starts_with("/batches/new?why=taken"), "{again}");
    let form = mo.get(&again).await.text().await.unwrap();
    assert!(form.contains("Frühling &amp; &quot;Sommer&quot;"), "what was typed is still there: {form}");
    assert!(form.contains("short name already"), "and why it was not taken");
    for (fields, why) in [
        ([("title", " "), ("family", "reed"), ("slug", "a")], "title"),
        ([("title", "A"), ("family", "reed"), ("slug", "Not a slug")], "slug"),
        ([("title", "A"), ("family", "otherfamily"), ("slug", "a")], "forbidden"),
        ([("title", "A"), ("family", ""), ("slug", "a")], "family"),
    ] {
        let back = post(&fields).await;
        assert!(back.starts_with(&format!("/batches/new?why={why}&")), "{back}");
    }
}

#[tokio::test]
async fn who_manages_nothing_is_offered_no_batch_to_create_and_no_pictures_to_add() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let rowan = server.client("rowan").await;
    assert!(!rowan.get("/batches").await.text().await.unwrap().contains("/batches/new"));
    assert_eq!(rowan.get("/batches/new").await.status(), StatusCode::FORBIDDEN);
}
