//! Photographs as people have them, fetched by `scripts/setup test`.

use std::path::Path;

use serde_json::Value;

use crate::{storms::is_thumbnail_of, support::Studio};

#[tokio::test]
async fn a_folder_of_photographs_goes_in_and_every_one_has_its_thumbnail() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/photographs");
    let count = std::fs::read_dir(&folder).expect("scripts/setup test has fetched the photographs").count();
    assert!(count >= 25, "{count} photographs");

    let studio = Studio::new();
    let words = ["import", folder.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"];
    let told = studio.run(&[&words[..], &["--json"]].concat()).stdout;
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), count);
    // A measurement in 64-bit floating point is no picture to look at, and is told so.
    let (added, refused): (Vec<_>, Vec<_>) = told.iter().partition(|told| told["status"] == "added");
    let [refused] = refused.as_slice() else { panic!("one is refused: {refused:?}") };
    assert!(refused["name"].as_str().unwrap().ends_with("multipage_rgb.tif"), "{refused}");
    assert!(refused["reason"].as_str().unwrap().contains("TIFF"), "{refused}");

    studio.account("ada", &["--admin"]);
    let server = studio.serve(&[]);
    let client = server.client("ada").await;
    let assets = client.assets().await;
    assert_eq!(assets.len(), added.len());
    for asset in assets {
        let side = |name: &str| u32::try_from(asset[name].as_u64().unwrap()).unwrap();
        let path = format!("/api/assets/{}/thumbnail", asset["id"].as_str().unwrap());
        let longer = side("width").max(side("height")).min(440);
        assert!(is_thumbnail_of(&client.try_get(&path).await.unwrap(), longer), "{asset}");
    }
}
