//! The WASM entry of Avatars: it makes the islands known to the page and does nothing else.

// The islands are exported by their own macro; without this line the linker would see no reader of them.
use app as _;

/// Called once by the page before any island is hydrated.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
