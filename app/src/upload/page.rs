//! The uploader's part of the page: found by id, changed only where something has changed. The server has rendered it.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

use super::{
    answer::Stop,
    queue::{Key, Mark, Phase, Queue, Row, Target, Totals},
    words,
};
use crate::model::BatchId;

macro_rules! ids {
    ($($name:ident = $id:literal),+ $(,)?) => { $(pub(crate) const $name: &str = $id;)+ };
}

ids! {
    BUTTON = "add-button",
    FORM = "add-pictures",
    FILES = "add-files",
    ADDRESSES = "add-addresses",
    LINES = "add-lines",
    SUBJECT = "add-subject",
    NEW_SUBJECT = "add-new-subject",
    KIND = "add-kind",
    STAGED = "add-staged",
    STAGED_TEXT = "add-staged-text",
    CARD = "upload-card",
    FOLD = "upload-fold",
    TITLE = "upload-title",
    NOTE = "upload-note",
    PROBLEMS = "upload-problems",
    SIGN_IN = "upload-sign-in",
    RETRY = "upload-retry",
    PAUSE = "upload-pause",
    END = "upload-end",
    SHARE = "upload-share",
    LIST = "upload-list",
    ROWS = "upload-rows",
    ROW = "upload-row",
    MORE = "upload-more",
}

/// The choice that is no subject.
pub(crate) const NEW: &str = "+";
/// Holds the key of a line.
const KEY: &str = "data-key";

fn element(id: &str) -> Option<Element> {
    document().get_element_by_id(id)
}

/// Every element that has a value is asked for it in the same way.
fn field(id: &str) -> Option<HtmlInputElement> {
    element(id).map(JsCast::unchecked_into)
}

fn value(id: &str) -> Option<String> {
    field(id).map(|field| field.value())
}

pub(crate) fn set_value(id: &str, value: &str) {
    if let Some(field) = field(id) {
        field.set_value(value);
    }
}

/// What stands in the field of addresses.
pub(crate) fn lines() -> String {
    value(LINES).unwrap_or_default()
}

/// Where the form says that the next files go; nothing as long as it does not.
pub(crate) fn target() -> Option<Target> {
    let subject = match value(SUBJECT) {
        Some(chosen) if chosen != NEW => chosen,
        _ => value(NEW_SUBJECT)?,
    };
    Some(Target { subject: subject.parse().ok()?, kind: value(KIND)?.parse().ok()? })
}

/// Chooses a subject, where it is one of those that can be chosen.
pub(crate) fn choose(subject: &str) {
    let before = value(SUBJECT).unwrap_or_default();
    set_value(SUBJECT, subject);
    // What is not among them leaves nothing chosen.
    if value(SUBJECT).is_some_and(|chosen| chosen.is_empty()) {
        set_value(SUBJECT, &before);
    }
}

/// Puts the person where the subject is chosen or named.
pub(crate) fn ask_for_subject() {
    let naming = value(SUBJECT).is_none_or(|chosen| chosen == NEW);
    if let Some(field) = field(if naming { NEW_SUBJECT } else { SUBJECT }) {
        mark(&field, "aria-invalid", Some("true"));
        let _refused = field.focus();
    }
}

pub(crate) fn shows(id: &str) -> bool {
    element(id).is_some_and(|element| !element.has_attribute("hidden"))
}

/// Shows the form or hides it. Who worked in it finds themselves at the button that opens it.
pub(crate) fn show_form(open: bool) {
    let inside = element(FORM).is_some_and(|form| form.contains(document().active_element().as_deref()));
    show(FORM, open);
    for id in [SUBJECT, NEW_SUBJECT] {
        set(id, "aria-invalid", None);
    }
    set(BUTTON, "aria-expanded", Some(if open { "true" } else { "false" }));
    if let Some(button) = element(BUTTON).filter(|_| inside && !open) {
        let _refused = button.unchecked_into::<HtmlElement>().focus();
    }
}

/// Unfolds the list of files or folds it.
pub(crate) fn unfold(open: bool) {
    show(LIST, open);
    set(FOLD, "aria-expanded", Some(if open { "true" } else { "false" }));
}

/// How many files wait in the form, and how large they are.
pub(crate) fn stage(files: usize, bytes: u64, cut: bool) {
    show(STAGED, files > 0);
    let more = if cut { " There were more: drop them again afterwards." } else { "" };
    let files = words::count(files as u32, "file waits", "files wait");
    text(STAGED_TEXT, &[&files, " (", &words::size(bytes), "): check whose they are, then add them.", more].concat());
}

/// The key of the line that holds an element.
pub(crate) fn key_of(element: &Element) -> Option<Key> {
    element.closest("[data-key]").ok()??.get_attribute(KEY)?.parse().ok()
}

fn show(id: &str, shown: bool) {
    set(id, "hidden", (!shown).then_some(""));
}

fn set(id: &str, name: &str, value: Option<&str>) {
    if let Some(element) = element(id) {
        mark(&element, name, value);
    }
}

fn mark(element: &Element, name: &str, value: Option<&str>) {
    if element.get_attribute(name).as_deref() == value {
        return;
    }
    let _refused = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

fn text(id: &str, text: &str) {
    if let Some(element) = element(id) {
        write(&element, text);
    }
}

fn write(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Shows how all files stand; `pace`: how fast it goes, in words.
pub(crate) fn show_totals(totals: &Totals, pace: &str, batch: BatchId) {
    let done = totals.phase == Phase::Done;
    let halted = matches!(totals.phase, Phase::Paused | Phase::Stopped(_));
    let problems = totals.problems();
    show(CARD, totals.phase != Phase::Idle);
    set(CARD, "data-done", done.then_some(""));
    set(CARD, "data-halted", halted.then_some(""));
    set(CARD, "data-problems", (problems > 0).then_some(""));
    text(TITLE, &totals.title());
    text(NOTE, &totals.note(pace));
    show(PROBLEMS, problems > 0 && !done);
    text(PROBLEMS, &words::count(problems, "problem", "problems"));
    show(RETRY, totals.failed > 0);
    show(SIGN_IN, totals.phase == Phase::Stopped(Stop::SignedOut));
    set(SIGN_IN, "href", Some(&["/sign-in?next=/batches/", &batch.to_string()].concat()));
    show(PAUSE, !done);
    name(PAUSE, if halted { "Resume" } else { "Pause" });
    name(END, if done { "Close" } else { "Cancel all" });
    set(SHARE, "value", Some(&totals.share.to_string()));
}

/// Names a button that shows a sign alone.
fn name(id: &str, name: &str) {
    set(id, "aria-label", Some(name));
    set(id, "title", Some(name));
}

/// The lines of the list, as they stand in the page.
#[derive(Default)]
pub(crate) struct Rows(Vec<(Key, Element, Row)>);

impl Rows {
    /// Shows the list as the queue has it: each line keeps its element, and only what has changed is written.
    pub(crate) fn show(&mut self, queue: &Queue, files: u32) {
        let (Some(list), Some(pattern)) = (element(ROWS), element(ROW)) else { return };
        let order = queue.order();
        let mut before = std::mem::take(&mut self.0);
        for (place, key) in order.iter().copied().enumerate() {
            let Some(row) = queue.row(key) else { continue };
            let line = match before.iter().position(|(known, ..)| *known == key) {
                Some(at) => {
                    let (_, line, was) = before.swap_remove(at);
                    if was != row {
                        write_row(&line, &row);
                    }
                    line
                }
                None => {
                    let Some(line) = new_row(&pattern, key, &queue.name(key)) else { continue };
                    write_row(&line, &row);
                    line
                }
            };
            if list.children().item(place as u32).as_ref() != Some(&line) {
                let at = list.children().item(place as u32);
                let _refused = list.insert_before(&line, at.as_deref());
            }
            self.0.push((key, line, row));
        }
        for (_, line, _) in before {
            line.remove();
        }
        let more = files as usize - order.len().min(files as usize);
        show(MORE, more > 0);
        text(MORE, &["and ", &more.to_string(), " more"].concat());
    }

    /// Takes all lines away.
    pub(crate) fn clear(&mut self) {
        for (_, line, _) in self.0.drain(..) {
            line.remove();
        }
    }
}

fn new_row(pattern: &Element, key: Key, name: &str) -> Option<Element> {
    let line: Element = pattern.clone_node_with_deep(true).ok()?.unchecked_into();
    mark(&line, "id", None);
    mark(&line, KEY, Some(&key.to_string()));
    if let Some(part) = part(&line, ".upload-name") {
        write(&part, name);
        mark(&part, "title", Some(name));
    }
    if let Some(part) = part(&line, "progress") {
        mark(&part, "aria-label", Some(name));
    }
    Some(line)
}

fn write_row(line: &Element, row: &Row) {
    let (again, open) = (row.mark.may_be_retried(), row.mark.may_be_cancelled());
    mark(line, "data-mark", Some(row.mark.as_str()));
    if let Some(part) = part(line, "use") {
        mark(&part, "href", Some(icon(row.mark)));
    }
    if let Some(part) = part(line, ".upload-why") {
        write(&part, &row.note);
    }
    if let Some(part) = part(line, "button") {
        let name = line.query_selector(".upload-name").ok().flatten().and_then(|name| name.text_content());
        let label = [if again { "Try again: " } else { "Cancel " }, &name.unwrap_or_default()].concat();
        mark(&part, "aria-label", Some(&label));
        mark(&part, "hidden", (!again && !open).then_some(""));
        if let Some(part) = self::part(&part, "use") {
            mark(&part, "href", Some(if again { "#i-again" } else { "#i-cross" }));
        }
    }
    if let Some(part) = part(line, "progress") {
        mark(&part, "hidden", row.share.is_none().then_some(""));
        mark(&part, "value", Some(&row.share.unwrap_or_default().to_string()));
    }
}

fn part(line: &Element, selector: &str) -> Option<Element> {
    line.query_selector(selector).ok().flatten()
}

const fn icon(mark: Mark) -> &'static str {
    match mark {
        Mark::Failed | Mark::Refused | Mark::Cancelled => "#i-cross",
        Mark::Skipped => "#i-open",
        Mark::Sending => "#i-up",
        Mark::Waiting | Mark::Held => "#i-clock",
        Mark::Added | Mark::Here => "#i-check",
    }
}
