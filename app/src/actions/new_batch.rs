//! A new batch by a plain form: on to the batch, or back to the form with what was typed. It works without scripts.

use super::{answer, context, form};
use crate::{
    model::{Batch, Refusal, Slug},
    pages::{
        new_batch::{Entered, Why, address},
        sign_in,
    },
};

pub(super) async fn new_batch(entered: Entered) -> Result<(), Refusal> {
    match create(&entered).await {
        Ok(batch) => {
            form::go(&["/batches/", &batch.id.to_string()].concat());
            Ok(())
        }
        Err((Refusal::SignedOut, _)) if form::is_form() => {
            form::go(&sign_in::address("/batches/new", None));
            Ok(())
        }
        Err((_, why)) if form::is_form() => {
            form::go(&address(&entered, why));
            Ok(())
        }
        Err((refusal, _)) => answer(Err(refusal)),
    }
}

/// The batch, or the refusal with what to look at in the form.
async fn create(entered: &Entered) -> Result<Batch, (Refusal, Why)> {
    let invalid = |why: Why, reason: String| (Refusal::Invalid { reason }, why);
    let title = entered.title.trim();
    if !Batch::is_title(title) {
        return Err(invalid(Why::Title, Batch::NOT_A_TITLE.to_owned()));
    }
    let family = if entered.family.is_empty() { &entered.new_family } else { &entered.family };
    let family: Slug = family.trim().parse().map_err(|error| invalid(Why::Family, format!("{error}")))?;
    let slug = match entered.slug.trim() {
        "" => short_name(title),
        slug => slug.to_owned(),
    };
    let slug: Slug = slug.parse().map_err(|error| invalid(Why::Slug, format!("{error}")))?;
    let (studio, caller) = context().map_err(|refusal| (refusal, Why::Failed))?;
    studio.create_batch(&caller, &family, &slug, title).await.map_err(|refusal| {
        let why = match &refusal {
            Refusal::Forbidden => Why::Forbidden,
            // What else it could be was looked at before.
            Refusal::Invalid { .. } => Why::Taken,
            _ => Why::Failed,
        };
        (refusal, why)
    })
}

/// The title in the letters that a slug may have; empty where it has none that could be written so.
fn short_name(title: &str) -> String {
    let mut name = slug::slugify(title);
    name.truncate(64);
    name.truncate(name.trim_end_matches('-').len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_is_the_title_in_plain_letters() {
        assert_eq!(short_name("Frühling & Sommer 2027"), "fruhling-sommer-2027");
        assert_eq!(short_name("春"), "chun");
        assert_eq!(short_name("…"), "");
        let long = short_name(&"word ".repeat(30));
        assert!(long.parse::<Slug>().is_ok(), "{long}");
    }
}
