//! The batches that a person may see: how far each is, and a glimpse of it.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    components::{icon::Icon, progress::Progress},
    model::{AssetId, AssetQuery, Batch, BatchStatus, Kind, Refusal},
    pages::{frame::Frame, load::page},
    studio::{Caller, Studio},
};

/// Pictures on a card.
const COVERS: u32 = 4;
/// Cards with pictures: each costs a query.
const WITH_COVERS: usize = 24;

#[component]
pub(crate) fn Batches() -> impl IntoView {
    page(|studio, caller| async move {
        let account = studio.account(&caller).await?;
        let batches = studio.batches(&caller).await?;
        let creates = !studio.managed(&caller).await?.is_empty();
        let mut cards = Vec::with_capacity(batches.len());
        for (at, batch) in batches.into_iter().enumerate() {
            let covers = if at < WITH_COVERS { covers(&*studio, &caller, &batch).await? } else { Vec::new() };
            cards.push((batch, covers));
        }
        Ok(view! {
            <Title text="Batches" />
            <Frame account>
                <div class="batches">
                    <header class="batches-head">
                        <h1>"Batches"</h1>
                        {creates.then(|| view! { <NewBatchLink /> })}
                    </header>
                    {if cards.is_empty() {
                        view! { <Nothing creates /> }.into_any()
                    } else {
                        let cards = cards
                            .into_iter()
                            .map(|(batch, covers)| view! { <Card batch covers /> })
                            .collect_view();
                        view! { <ul class="cards">{cards}</ul> }.into_any()
                    }}
                </div>
            </Frame>
        })
    })
}

async fn covers(studio: &dyn Studio, caller: &Caller, batch: &Batch) -> Result<Vec<AssetId>, Refusal> {
    let query = AssetQuery { kind: Some(Kind::Candidate), limit: Some(COVERS), ..AssetQuery::default() };
    let page = studio.assets(caller, batch.id, &query).await?;
    Ok(page.assets.into_iter().map(|asset| asset.id).collect())
}

#[component]
fn Card(batch: Batch, covers: Vec<AssetId>) -> impl IntoView {
    let counts = batch.counts;
    let state = match (batch.status, counts.undecided) {
        (BatchStatus::Closed, _) => "Closed".to_owned(),
        (BatchStatus::Open, 0) if counts.total > 0 => "All decided".to_owned(),
        (BatchStatus::Open, undecided) => format!("{undecided} to decide"),
    };
    let covers = covers
        .into_iter()
        .map(|id| view! { <img src=format!("/api/assets/{id}/thumbnail") alt="" loading="lazy" decoding="async" /> })
        .collect_view();
    view! {
        <li>
            <a class="card" href=format!("/batches/{}", batch.id)>
                <div class="covers">{covers}</div>
                <div class="card-text">
                    <h2>{batch.title}</h2>
                    <p class="muted">{batch.family.to_string()} " · " {state}</p>
                    <Progress counts=counts />
                    <p class="card-counts">
                        <span data-decision="approved">{counts.approved} " approved"</span>
                        <span data-decision="rejected">{counts.rejected} " rejected"</span>
                        <span>{counts.total} " in all"</span>
                    </p>
                </div>
            </a>
        </li>
    }
}

#[component]
fn NewBatchLink() -> impl IntoView {
    view! {
        <a class="button primary" href="/batches/new">
            <Icon name="#i-plus" />
            "New batch"
        </a>
    }
}

#[component]
fn Nothing(
    /// Whether the person may create one.
    creates: bool,
) -> impl IntoView {
    let way = if creates {
        view! {
            <p>
                "A batch holds the pictures that are to be decided. Create one here and drop its pictures into it, or bring a folder from the server:"
            </p>
            <pre>
                <code>"avatars import ~/photos --family people --subject mia --batch summer"</code>
            </pre>
        }
        .into_any()
    } else {
        view! {
            <p>"There may be batches that you cannot see. Ask an admin for a grant:"</p>
            <pre>
                <code>"avatars grant NAME reviewer people"</code>
            </pre>
        }
        .into_any()
    };
    view! {
        <div class="nothing">
            <h2>"No batches yet"</h2>
            {way}
        </div>
    }
}
