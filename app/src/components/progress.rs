//! How far a batch is: approved and rejected as parts of a bar, and in words for those who do not see it.

use leptos::prelude::*;

use crate::model::Counts;

#[component]
pub(crate) fn Progress(#[prop(into)] counts: Signal<Counts>) -> impl IntoView {
    let share = |part: u32, total: u32| part * 1000 / total.max(1);
    let approved = move || counts.with(|counts| share(counts.approved, counts.total));
    let rejected = move || counts.with(|counts| share(counts.rejected, counts.total));
    let words = move || {
        let Counts { total, approved, rejected, undecided } = counts.get();
        format!("{approved} approved, {rejected} rejected, {undecided} undecided of {total}")
    };
    view! {
        <svg class="progress" viewBox="0 0 1000 1" preserveAspectRatio="none" role="img" aria-label=words>
            <rect class="progress-rest" width="1000" height="1"></rect>
            <rect class="progress-approved" width=approved height="1"></rect>
            <rect class="progress-rejected" x=approved width=rejected height="1"></rect>
        </svg>
    }
}
