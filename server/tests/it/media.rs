//! Thumbnails, previews and originals as a browser asks for them.

use std::io::Cursor;

use image::GenericImageView as _;
use reqwest::{Method, StatusCode, header};

use crate::support::{Client, Studio, problem};

#[tokio::test]
async fn a_thumbnail_is_a_webp_of_440_pixels_that_nobody_keeps() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [path] = client.thumbnails().await.try_into().unwrap();

    // Cold, warm, and with the query that gets past caches: the same bytes.
    let mut bodies = Vec::new();
    for query in ["", "", "?retry=1"] {
        let response = client.get(&format!("{path}{query}")).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CACHE_CONTROL], "private, no-store");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "image/webp");
        assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(response.headers()["cross-origin-resource-policy"], "same-origin");
        assert!(response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("sandbox"));
        let length: usize = response.headers()[header::CONTENT_LENGTH].to_str().unwrap().parse().unwrap();
        let body = response.bytes().await.unwrap();
        assert_eq!(body.len(), length);
        bodies.push(body);
    }
    let thumbnail =
        image::ImageReader::with_format(Cursor::new(&bodies[0]), image::ImageFormat::WebP).decode().unwrap();
    let (width, height) = thumbnail.dimensions();
    assert_eq!(width.max(height), 440);
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

#[tokio::test]
async fn a_head_tells_what_a_get_would_without_a_body() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    for path in client.thumbnails().await.iter().flat_map(|path| [path.clone(), path.replace("thumbnail", "file")]) {
        let get = client.get(&path).await;
        let head = client.request(Method::HEAD, &path).send().await.unwrap();
        assert_eq!(head.status(), StatusCode::OK);
        assert_eq!(head.headers()[header::CONTENT_LENGTH], get.headers()[header::CONTENT_LENGTH]);
        assert_eq!(head.headers()[header::CONTENT_TYPE], get.headers()[header::CONTENT_TYPE]);
    }
}

#[tokio::test]
async fn an_original_comes_untouched_whole_or_in_part() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let original = std::fs::read(studio.path("incoming/0000.png")).unwrap();
    let [asset] = client.assets().await.try_into().unwrap();
    let path = format!("/api/assets/{}/file", asset["id"].as_str().unwrap());

    let whole = client.get(&path).await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()[header::CONTENT_TYPE], "image/png");
    assert_eq!(whole.headers()[header::ACCEPT_RANGES], "bytes");
    assert_eq!(whole.bytes().await.unwrap(), original);

    let part = client.request(Method::GET, &path).header(header::RANGE, "bytes=10-19").send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()[header::CONTENT_RANGE], format!("bytes 10-19/{}", original.len()));
    assert_eq!(part.bytes().await.unwrap(), original[10..20]);

    let outside = client.request(Method::GET, &path).header(header::RANGE, "bytes=99999999-").send().await.unwrap();
    assert_eq!(outside.headers()[header::CONTENT_RANGE], format!("bytes */{}", original.len()));
    problem(outside, StatusCode::RANGE_NOT_SATISFIABLE, "no-such-range").await;
}

#[tokio::test]
async fn who_is_nobody_or_asks_for_nothing_is_told_so() {
    let studio = Studio::with_batch(1);
    studio.account("mallory", &[]);
    let server = studio.serve(&[]);
    let [path] = server.client("rowan").await.thumbnails().await.try_into().unwrap();
    let nothing = "/api/assets/01890000-0000-7000-8000-000000000000/thumbnail";

    for path in [path.as_str(), nothing, "/api/assets/none/thumbnail"] {
        problem(server.stranger().get(path).await, StatusCode::UNAUTHORIZED, "signed-out").await;
    }
    let mallory = server.client("mallory").await;
    problem(mallory.get(&path).await, StatusCode::FORBIDDEN, "forbidden").await;
    problem(mallory.get(nothing).await, StatusCode::NOT_FOUND, "not-found").await;
    let ada = server.client("ada").await;
    problem(ada.get("/api/assets/none/thumbnail").await, StatusCode::NOT_FOUND, "not-found").await;
    problem(ada.get(&path.replace("thumbnail", "poster")).await, StatusCode::NOT_FOUND, "not-found").await;
    problem(ada.get(&path.replace("thumbnail", "export/no-such")).await, StatusCode::NOT_FOUND, "not-found").await;
}

#[tokio::test]
async fn a_revocation_holds_on_the_very_next_request() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [path] = client.thumbnails().await.try_into().unwrap();
    assert_eq!(client.get(&path).await.status(), StatusCode::OK);

    studio.ok(&["revoke", "rowan", "reed"]);
    problem(client.get(&path).await, StatusCode::FORBIDDEN, "forbidden").await;
    studio.ok(&["grant", "rowan", "viewer", "reed/ida"]);
    assert_eq!(client.get(&path).await.status(), StatusCode::OK);
    studio.ok(&["account", "disable", "rowan"]);
    problem(client.get(&path).await, StatusCode::UNAUTHORIZED, "signed-out").await;
}

#[tokio::test]
async fn with_revalidation_a_browser_keeps_pictures_but_is_authorized_each_time() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[("AVATARS_MEDIA_CACHE", "revalidate")]);
    let client = server.client("rowan").await;
    let [path] = client.thumbnails().await.try_into().unwrap();
    let first = client.get(&path).await;
    assert_eq!(first.headers()[header::CACHE_CONTROL], "private, no-cache");
    let tag = first.headers()[header::ETAG].clone();

    let ask = async || client.request(Method::GET, &path).header(header::IF_NONE_MATCH, &tag).send().await.unwrap();
    assert_eq!(ask().await.status(), StatusCode::NOT_MODIFIED);
    studio.ok(&["revoke", "rowan", "reed"]);
    assert_eq!(ask().await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_internal_routes_open_for_a_token_and_never_for_a_cookie() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("ada").await;
    let [path] = client.thumbnails().await.try_into().unwrap();
    let path = path.replace("/api/", "/internal/");
    problem(client.get(&path).await, StatusCode::UNAUTHORIZED, "signed-out").await;

    let token = studio.ok(&["token", "add", "site", "--scope", "read", "--family", "reed"]);
    let stranger = server.stranger();
    let ask = async || stranger.request(Method::GET, &path).bearer_auth(token.trim()).send().await.unwrap();
    assert_eq!(ask().await.status(), StatusCode::OK);
    studio.ok(&["token", "revoke", "site"]);
    assert_eq!(ask().await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_export_is_made_by_its_preset() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [path] = client.thumbnails().await.try_into().unwrap();
    for (preset, format) in [("square-64", image::ImageFormat::WebP), ("square-256-png", image::ImageFormat::Png)] {
        let response = client.get(&path.replace("thumbnail", &format!("export/{preset}"))).await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], format.to_mime_type());
        let side: u32 = preset.split('-').nth(1).unwrap().parse().unwrap();
        let bytes = response.bytes().await.unwrap();
        let picture = image::ImageReader::with_format(Cursor::new(&bytes), format).decode().unwrap();
        assert_eq!(picture.dimensions(), (side, side));
    }
}

#[tokio::test]
async fn a_proxy_that_serves_the_files_itself_asks_for_the_decision_alone() {
    let studio = Studio::with_batch(1);
    studio.account("mallory", &[]);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [asset] = client.assets().await.try_into().unwrap();
    let path = format!("/api/assets/{}/file", asset["id"].as_str().unwrap());
    let ask = async |client: &Client, header: &str, address: &str| {
        client.request(Method::GET, "/api/authorize").header(header, address).send().await.unwrap()
    };

    for header in ["x-original-uri", "x-forwarded-uri"] {
        let yes = ask(&client, header, &path).await;
        assert_eq!(yes.status(), StatusCode::NO_CONTENT);
        assert_eq!(yes.headers()["x-avatars-sha256"].to_str().unwrap(), asset["sha256"].as_str().unwrap());
        assert_eq!(yes.headers()[header::CACHE_CONTROL], "no-store");
    }
    assert_eq!(ask(&server.stranger(), "x-original-uri", &path).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(ask(&server.client("mallory").await, "x-original-uri", &path).await.status(), StatusCode::FORBIDDEN);
    for other in ["/", "/api/batches", "/api/assets/0193a6c8-7e0b-7000-8000-000000000001/file"] {
        assert_eq!(ask(&client, "x-original-uri", other).await.status(), StatusCode::FORBIDDEN, "{other}");
    }
}

#[tokio::test]
async fn the_preset_of_the_original_is_the_file_as_it_came_in() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let [path] = client.thumbnails().await.try_into().unwrap();
    let bytes = client.get(&path.replace("thumbnail", "export/original")).await.bytes().await.unwrap();
    assert_eq!(bytes, std::fs::read(studio.path("incoming/0000.png")).unwrap());
    let part = client.request(Method::GET, &path.replace("thumbnail", "export/original"));
    let part = part.header(header::RANGE, "bytes=1-3").send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.bytes().await.unwrap(), &b"PNG"[..]);
}

#[tokio::test]
async fn a_preset_of_the_configuration_is_served_and_changes_with_it() {
    let studio = Studio::with_batch(1);
    let size = async |presets: &str| {
        let server = studio.serve(&[("AVATARS_PRESETS", presets)]);
        let client = server.client("rowan").await;
        let [path] = client.thumbnails().await.try_into().unwrap();
        let bytes = client.get(&path.replace("thumbnail", "export/banner")).await.bytes().await.unwrap();
        image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().unwrap().decode().unwrap().dimensions()
    };
    assert_eq!(size("banner=cover 150x50 webp").await, (150, 50));
    assert_eq!(size("banner=cover 90x30 png").await, (90, 30));
}
