//! Where the cursor goes: steps in the grid, ranges, and on to the next undecided picture.

use crate::model::{AssetId, Decision};

/// A step by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Left,
    Right,
    Up,
    Down,
    First,
    Last,
    PageUp,
    PageDown,
}

/// The grid as laid out at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Tiles in a row, at least 1.
    pub(crate) columns: usize,
    /// Whole rows that fit the window, at least 1.
    pub(crate) rows: usize,
}

impl Step {
    /// The place that this step leads to from `at` among `len` tiles. It stops at the edges.
    pub(crate) fn from(self, at: usize, len: usize, layout: Layout) -> usize {
        let last = len.saturating_sub(1);
        let at = at.min(last);
        let up = |rows: usize| if at >= layout.columns { at.saturating_sub(fit(rows, at, layout)) } else { at };
        let down = |rows: usize| {
            let below = last - at;
            if below >= layout.columns { at + fit(rows, below, layout) } else { at }
        };
        match self {
            Self::Left => at.saturating_sub(1),
            Self::Right => (at + 1).min(last),
            Self::Up => up(1),
            Self::Down if (last / layout.columns) > (at / layout.columns) && last - at < layout.columns => last,
            Self::Down => down(1),
            Self::First => 0,
            Self::Last => last,
            Self::PageUp => up(layout.rows),
            Self::PageDown => down(layout.rows),
        }
    }
}

/// As many of `rows` rows as there are within `room` tiles, in tiles: a page keeps its column.
fn fit(rows: usize, room: usize, layout: Layout) -> usize {
    rows.min(room / layout.columns) * layout.columns
}

/// The tiles from `one` to `other`, both included, in the order of `shown`, whichever comes first.
pub(crate) fn range(shown: &[AssetId], one: AssetId, other: AssetId) -> Vec<AssetId> {
    let place = |id| shown.iter().position(|shown| *shown == id);
    match (place(one), place(other)) {
        (Some(a), Some(b)) => shown[a.min(b)..=a.max(b)].to_vec(),
        _ => vec![other],
    }
}

/// Where the cursor goes when `acted` have been decided: to the next undecided picture after `at`, else to the nearest
/// one before it; where there is none it stays, or takes the nearest neighbour if its picture leaves the screen.
///
/// `shown` is the list as it was before the act, `stays` whether the decided ones remain on screen.
pub(crate) fn after_decision(
    shown: &[(AssetId, Decision)],
    acted: &[AssetId],
    at: usize,
    stays: bool,
) -> Option<AssetId> {
    let at = at.min(shown.len().checked_sub(1)?);
    let (before, rest) = shown.split_at(at);
    let after = rest.get(1..).unwrap_or_default();
    let open = |(id, decision): &&(AssetId, Decision)| *decision == Decision::Undecided && !acted.contains(id);
    let other = |(id, _): &&(AssetId, Decision)| !acted.contains(id);
    let undecided = after.iter().find(open).or_else(|| before.iter().rev().find(open));
    let kept = || if stays || !acted.contains(&shown[at].0) { Some(&shown[at]) } else { None };
    let found =
        undecided.or_else(kept).or_else(|| after.iter().find(other)).or_else(|| before.iter().rev().find(other));
    found.map(|(id, _)| *id)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use Decision::{Approved, Undecided};

    fn id(n: u128) -> AssetId {
        AssetId(Uuid::from_u128(n))
    }

    fn list(decisions: &[Decision]) -> Vec<(AssetId, Decision)> {
        decisions.iter().enumerate().map(|(n, decision)| (id(n as u128), *decision)).collect()
    }

    const GRID: Layout = Layout { columns: 4, rows: 3 };

    #[test]
    fn steps_stop_at_the_edges() {
        assert_eq!(Step::Left.from(0, 10, GRID), 0);
        assert_eq!(Step::Right.from(9, 10, GRID), 9);
        assert_eq!(Step::Up.from(2, 10, GRID), 2);
        assert_eq!(Step::Down.from(9, 10, GRID), 9);
        assert_eq!(Step::First.from(7, 10, GRID), 0);
        assert_eq!(Step::Last.from(7, 10, GRID), 9);
        assert_eq!(Step::Right.from(0, 0, GRID), 0, "an empty list has nowhere to go");
    }

    #[test]
    fn down_reaches_a_last_row_that_is_shorter() {
        assert_eq!(Step::Down.from(3, 10, GRID), 7);
        assert_eq!(Step::Down.from(7, 10, GRID), 9, "there is no tile right below, but there is a row");
        assert_eq!(Step::Down.from(8, 10, GRID), 8, "this is the last row");
    }

    #[test]
    fn a_page_keeps_its_column() {
        assert_eq!(Step::PageDown.from(1, 40, GRID), 13);
        assert_eq!(Step::PageDown.from(33, 40, GRID), 37);
        assert_eq!(Step::PageUp.from(5, 40, GRID), 1);
    }

    #[test]
    fn a_range_is_a_slice_of_what_is_on_screen_in_either_direction() {
        let shown = [id(5), id(2), id(9), id(1)];
        assert_eq!(range(&shown, id(2), id(1)), [id(2), id(9), id(1)]);
        assert_eq!(range(&shown, id(1), id(2)), [id(2), id(9), id(1)]);
        assert_eq!(range(&shown, id(77), id(2)), [id(2)], "an anchor that left the screen anchors nothing");
    }

    #[test]
    fn after_the_first_a_middle_and_the_last_tile_comes_an_undecided_one_and_never_the_start() {
        let all = list(&[Undecided; 5]);
        assert_eq!(after_decision(&all, &[id(0)], 0, true), Some(id(1)));
        assert_eq!(after_decision(&all, &[id(2)], 2, true), Some(id(3)));
        assert_eq!(after_decision(&all, &[id(4)], 4, true), Some(id(3)));
    }

    #[test]
    fn decided_ones_are_passed_over() {
        let some = list(&[Undecided, Undecided, Approved, Approved, Undecided]);
        assert_eq!(after_decision(&some, &[id(1)], 1, true), Some(id(4)));
    }

    #[test]
    fn with_nothing_left_undecided_the_cursor_stays() {
        let done = list(&[Approved, Undecided, Approved]);
        assert_eq!(after_decision(&done, &[id(1)], 1, true), Some(id(1)));
    }

    #[test]
    fn a_picture_that_leaves_the_screen_hands_the_cursor_to_its_neighbour() {
        let approved = list(&[Approved; 3]);
        assert_eq!(after_decision(&approved, &[id(1)], 1, false), Some(id(2)));
        assert_eq!(after_decision(&approved, &[id(2)], 2, false), Some(id(1)));
        assert_eq!(after_decision(&approved, &[id(0), id(1), id(2)], 1, false), None);
        assert_eq!(after_decision(&[], &[], 0, true), None);
    }
}
