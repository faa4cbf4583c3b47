//! What is asked of the browser: `shell/upload.js`, which stands in the page of whoever may add pictures. Browser only.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::{
    answer::Answer,
    queue::{Found, Target, What},
};
use crate::model::BatchId;

/// How long a question may take, in milliseconds.
const QUESTION: u32 = 60_000;
/// How long an address may take to be fetched, in milliseconds.
const FETCH: u32 = 600_000;
/// How long a look may take, in milliseconds.
const LOOK: u32 = 10_000;
/// The key of what is no file.
const ASKING: i32 = -1;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = uploads, js_name = listen)]
    fn listen_by(take: &Closure<dyn FnMut(Array, bool)>);
    #[wasm_bindgen(js_namespace = uploads)]
    pub(crate) fn hashes() -> bool;
    #[wasm_bindgen(js_namespace = uploads, js_name = hash)]
    fn hash_of(file: u32) -> Promise;
    #[wasm_bindgen(js_namespace = uploads, js_name = send)]
    fn send_by(key: i32, file: u32, address: &str, subject: &str, kind: &str) -> Promise;
    #[wasm_bindgen(js_namespace = uploads)]
    fn ask(
        key: i32,
        address: &str,
        subject: &str,
        kind: &str,
        about: &str,
        list: Vec<String>,
        patience: u32,
    ) -> Promise;
    #[wasm_bindgen(js_namespace = uploads, js_name = look)]
    fn look_by(patience: u32) -> Promise;
    /// How many bytes of what is sent under the key are on the line.
    #[wasm_bindgen(js_namespace = uploads)]
    pub(crate) fn sent(key: i32) -> f64;
    /// Cuts off what is sent or fetched under the key.
    #[wasm_bindgen(js_namespace = uploads)]
    pub(crate) fn stop(key: i32);
    /// Lets a file go.
    #[wasm_bindgen(js_namespace = uploads)]
    pub(crate) fn forget(file: u32);
}

/// Hears of all files that are dropped or chosen on the page, until the page ends; the flag says that there were more.
pub(crate) fn listen(mut take: impl FnMut(Vec<Found>, bool) + 'static) {
    let take = Closure::new(move |list: Array, more: bool| {
        let at = |place: u32| list.get(place);
        let found = |place: u32| Found {
            file: at(place).as_f64().unwrap_or_default() as u32,
            path: at(place + 1).as_string().unwrap_or_default(),
            bytes: at(place + 2).as_f64().filter(|bytes| *bytes >= 0.0).map(|bytes| bytes as u64),
        };
        take((0..list.length() / 3).map(|number| found(number * 3)).collect(), more);
    });
    listen_by(&take);
    take.forget();
}

/// The SHA-256 of a file.
pub(crate) async fn hash(file: u32) -> Result<String, String> {
    let hash = hash_of(file).await.ok().and_then(|hash| hash.as_string());
    hash.ok_or_else(|| "It cannot be read: it was changed, moved or taken away.".to_owned())
}

/// Sends a file into the batch, or has the server fetch one.
pub(crate) async fn send(batch: BatchId, key: i32, what: &What, target: &Target) -> Answer {
    let (subject, kind) = (target.subject.as_str(), target.kind.as_str());
    let promise = match what {
        What::File(file) => send_by(key, *file, &address(batch, "/assets"), subject, kind),
        What::Address(at) => ask(key, &address(batch, "/fetch"), subject, kind, "urls", vec![at.clone()], FETCH),
    };
    answer(promise).await
}

/// Asks which of the contents are missing.
pub(crate) async fn missing(batch: BatchId, target: &Target, hashes: Vec<String>) -> Answer {
    let (subject, kind) = (target.subject.as_str(), target.kind.as_str());
    answer(ask(ASKING, &address(batch, "/missing"), subject, kind, "sha256", hashes, QUESTION)).await
}

/// Whether the server is there.
pub(crate) async fn look() -> bool {
    answer(look_by(LOOK)).await.status == 200
}

fn address(batch: BatchId, what: &str) -> String {
    ["/api/batches/", &batch.to_string(), what].concat()
}

async fn answer(promise: Promise) -> Answer {
    let Ok(parts) = promise.await else { return Answer::default() };
    let parts = Array::from(&parts);
    let number = |place: u32| parts.get(place).as_f64().unwrap_or_default();
    let seconds = number(1) as u64;
    let words = parts.get(2);
    Answer {
        status: number(0) as u16,
        retry_after: (seconds > 0).then_some(seconds),
        words: Array::is_array(&words)
            .then(|| Array::from(&words).iter().map(|word| word.as_string().unwrap_or_default()).collect()),
    }
}
