//! The little that must be asked of the page itself: where tiles lie, who has the focus. Browser only.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Element, HtmlDialogElement, HtmlElement, HtmlVideoElement, ScrollIntoViewOptions, ScrollLogicalPosition,
};

use crate::{model::AssetId, review::course::Layout};

/// The id of a picture's tile in the page.
pub(crate) fn tile_id(id: AssetId) -> String {
    ["tile-", &id.to_string()].concat()
}

/// A picture's tile, if it is on screen.
pub(crate) fn tile(id: AssetId) -> Option<HtmlElement> {
    document().get_element_by_id(&tile_id(id))?.dyn_into().ok()
}

/// The id of the sheet that names the keys; the server has rendered it.
pub(crate) const KEYS: &str = "keys";

fn keys_sheet() -> Option<HtmlDialogElement> {
    document().get_element_by_id(KEYS)?.dyn_into().ok()
}

/// Shows the keys over everything.
pub(crate) fn show_keys() {
    if let Some(sheet) = keys_sheet().filter(|sheet| !sheet.open()) {
        let _always_can = sheet.show_modal();
    }
}

pub(crate) fn are_keys_shown() -> bool {
    keys_sheet().is_some_and(|sheet| sheet.open())
}

/// Gives a tile the focus and scrolls no further than to make it visible.
pub(crate) fn focus_tile(id: AssetId) {
    let Some(tile) = tile(id) else { return };
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let _refused = tile.focus_with_options(&options);
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    tile.scroll_into_view_with_scroll_into_view_options(&options);
}

/// The picture whose tile holds `element`.
pub(crate) fn picture_of(element: &Element) -> Option<AssetId> {
    element.closest("[data-id]").ok()??.get_attribute("data-id")?.parse().ok()
}

/// Whether what a person types now goes into a field.
pub(crate) fn is_typing(element: &Element) -> bool {
    let field = element.closest("input, textarea, select, [contenteditable]").ok().flatten();
    field.is_some()
}

/// Whether `element` does something of its own on Enter, Space or arrows.
pub(crate) fn is_control(element: &Element) -> bool {
    element.closest("a, button, summary, video").ok().flatten().is_some()
}

/// Plays the video that is shown large, or pauses it.
pub(crate) fn play_or_pause() {
    let video = document().query_selector(".slide[data-current] video").ok().flatten();
    let Some(video) = video.and_then(|video| video.dyn_into::<HtmlVideoElement>().ok()) else { return };
    if video.paused() {
        // Whether it begins to play shows on the picture itself; a refusal that nobody takes would go to the console.
        if let Ok(begun) = video.play() {
            let refused = Closure::once(|_: JsValue| {});
            let _handled = begun.catch(&refused);
            refused.forget();
        }
    } else {
        let _paused = video.pause();
    }
}

/// How the tiles of `row` lie at present.
pub(crate) fn layout(row: &Element) -> Layout {
    let tiles = row.children();
    let top =
        |index| tiles.item(index).and_then(|tile| tile.dyn_into::<HtmlElement>().ok()).map(|tile| tile.offset_top());
    let first = top(0);
    let columns = (1..tiles.length()).find(|index| top(*index) != first).unwrap_or(tiles.length()).max(1);
    let height = top(columns).zip(first).map_or(1, |(second, first)| (second - first).max(1));
    let window = f64::from(document().document_element().map_or(0, |page| page.client_height()));
    // A little less than the window, so that a page down keeps a row to hold on to.
    let rows = (window * 0.8 / f64::from(height)) as usize;
    Layout { columns: columns as usize, rows: rows.max(1) }
}
