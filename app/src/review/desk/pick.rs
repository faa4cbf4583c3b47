//! Cursor, selection and filter.

use std::collections::HashSet;

use leptos::prelude::*;

use super::{Desk, Item};
use crate::{
    model::AssetId,
    review::{
        course::{Layout, Step, range},
        filter::Filter,
    },
};

impl Desk {
    /// Moves the cursor by a step; with `extend` the selection follows it from where the range began.
    pub(crate) fn step(&self, step: Step, layout: Layout, extend: bool) {
        let ids = self.ids();
        let at = self.cursor.get_untracked().and_then(|id| self.place(id)).unwrap_or(0);
        let Some(to) = ids.get(step.from(at, ids.len(), layout)).copied() else { return };
        if extend {
            self.pick_range(to);
        } else {
            self.anchor.set_value(Some(to));
        }
        self.go(to);
    }

    /// Puts the cursor on `id` and gives its tile the focus.
    pub(crate) fn go(&self, id: AssetId) {
        self.cursor.set(Some(id));
        self.focus.update(|focus| *focus += 1);
    }

    /// Selects `id` or lets it go; the next range begins here.
    pub(crate) fn toggle(&self, id: AssetId) {
        self.picked.update(|picked| {
            if !picked.remove(&id) {
                picked.insert(id);
            }
        });
        self.anchor.set_value(Some(id));
        self.go(id);
        self.say_picked();
    }

    /// Selects what is on screen between the anchor and `to`, and nothing else.
    pub(crate) fn pick_range(&self, to: AssetId) {
        let from = self.anchor.get_value().unwrap_or(to);
        self.picked.set(range(&self.ids(), from, to).into_iter().collect());
        self.say_picked();
    }

    /// Selects all that is on screen.
    pub(crate) fn pick_all(&self) {
        self.picked.set(self.ids().into_iter().collect());
        self.say_picked();
    }

    pub(crate) fn clear(&self) {
        if self.picked.with_untracked(HashSet::is_empty) {
            return;
        }
        self.picked.update(HashSet::clear);
        self.anchor.set_value(self.cursor.get_untracked());
        self.say("Selection cleared");
    }

    /// Shows what `filter` admits. The selection ends: it may only hold what is on screen.
    pub(crate) fn show(&self, filter: Filter) {
        self.picked.update(HashSet::clear);
        self.filter.set(filter);
        self.keep_cursor();
        self.anchor.set_value(self.cursor.get_untracked());
        let count = self.visible.with_untracked(Vec::len);
        self.say(if count == 1 { "1 picture".to_owned() } else { format!("{count} pictures") });
    }

    /// Opens the picture at the cursor large.
    pub(crate) fn open(&self, id: AssetId) {
        self.cursor.set(Some(id));
        self.anchor.set_value(Some(id));
        self.viewing.set(true);
    }

    /// A cursor whose picture is not on screen goes to the first that is.
    pub(super) fn keep_cursor(&self) {
        let kept = self.cursor.get_untracked().filter(|id| self.place(*id).is_some());
        if kept.is_none() {
            self.cursor.set(self.visible.with_untracked(|visible| visible.first().map(Item::id)));
        }
    }

    fn say_picked(&self) {
        self.say(match self.picked.with_untracked(HashSet::len) {
            0 => "None selected".to_owned(),
            count => format!("{count} selected"),
        });
    }
}
