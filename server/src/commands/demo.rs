//! `avatars demo`: fills an empty data folder with drawn pictures and prints the sign-ins.

use std::{num::NonZero, thread::available_parallelism};

use app::model::{Kind, Role, Slug};
use futures_util::{StreamExt as _, TryStreamExt as _};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::spawn_blocking;

use super::{Failure, open};
use crate::{
    accounts::{AccountError, Accounts},
    config::Config,
    demo::{self, Family, Picture, draw, plan},
    intake::{Fate, Length, Target},
    store::{Grant, Place, StoreError},
};

/// The demo listens on this machine alone unless told otherwise, and holds nobody's pictures.
const PASSWORD: &str = "look-at-pictures";

struct SignIn {
    name: &'static str,
    admin: bool,
    grant: Option<(Role, &'static str)>,
    what: &'static str,
}

const SIGN_INS: [SignIn; 3] = [
    SignIn { name: "ada", admin: true, grant: None, what: "admin: sees and decides everything" },
    SignIn { name: "rowan", admin: false, grant: Some((Role::Reviewer, "lindqvist")), what: "reviews the Lindqvists" },
    SignIn { name: "vera", admin: false, grant: Some((Role::Viewer, "okafor")), what: "looks at the Okafors" },
];

/// Draws and takes in what is missing: a second run finds nothing to do, one that was broken off is finished.
pub(super) async fn run(config: Config) -> Result<(), Failure> {
    let studio = open::studio(&config, open::FILES).await?;
    let (families, drawn) = (studio.store.families().await.map_err(Failure::from_error)?, plan());
    let is_drawn = |place: &Place| drawn.iter().any(|family| family.slug == place.family.as_str());
    if !families.iter().all(|(place, _)| is_drawn(place)) {
        return Err(Failure::Failed(format!(
            "{} holds pictures of its own: the demo fills an empty data folder only",
            config.data.display()
        )));
    }
    let accounts = &studio.accounts;
    if !is_complete(accounts).await? {
        fill(&studio, drawn).await?;
        sign_ins(accounts).await?;
    }
    studio.store.close().await;
    println!("Sign in with the password {PASSWORD} as");
    for sign_in in SIGN_INS {
        println!("  {:<6} {}", sign_in.name, sign_in.what);
    }
    Ok(())
}

/// The accounts are made last: where they all are, everything is.
async fn is_complete(accounts: &Accounts) -> Result<bool, Failure> {
    let there = accounts.list().await.map_err(Failure::from_error)?;
    Ok(SIGN_INS.iter().all(|sign_in| there.iter().any(|account| account.name == sign_in.name)))
}

async fn fill(studio: &open::Studio, families: Vec<Family>) -> Result<(), Failure> {
    let bar = ProgressBar::new(families.iter().map(|family| family.pictures.len() as u64).sum());
    if let Ok(style) = ProgressStyle::with_template("Drawing {bar:30} {pos} of {len} pictures") {
        bar.set_style(style);
    }
    let at_once = available_parallelism().map_or(1, NonZero::get);
    for family in families {
        let (slug, batch) = (parse(family.slug)?, parse(family.batch)?);
        for picture in &family.pictures {
            let subject = parse(picture.subject)?;
            studio.store.ensure_subject(&slug, &subject).await.map_err(Failure::from_error)?;
        }
        let batch = studio.store.ensure_batch(&slug, &batch, family.batch_title).await.map_err(Failure::from_error)?;
        futures_util::stream::iter(family.pictures)
            .map(async |picture| {
                let (subject, sender) = (parse(picture.subject)?, "avatars demo".to_owned());
                let target = Target { batch, subject, kind: kind(picture.kind), sender, turn: None };
                take(studio, &target, picture).await
            })
            .buffered(at_once)
            .try_for_each(async |()| {
                bar.inc(1);
                Ok(())
            })
            .await?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn kind(drawn: demo::Kind) -> Kind {
    match drawn {
        demo::Kind::Candidate => Kind::Candidate,
        demo::Kind::Pipeline => Kind::Pipeline,
    }
}

async fn take(studio: &open::Studio, target: &Target, picture: Picture) -> Result<(), Failure> {
    let name = picture.file_name.clone();
    let drawn = spawn_blocking(move || draw(&picture)).await.map_err(Failure::from_error)?;
    let bytes = drawn.map_err(Failure::from_error)?;
    let incoming = studio.intake.open(Length::Said(bytes.len() as u64)).await.map_err(Failure::from_error)?;
    let incoming = incoming.write(&bytes).await.map_err(Failure::from_error)?;
    match studio.intake.take(target, &name, incoming).await.map_err(Failure::from_error)? {
        Fate::Added { .. } | Fate::Duplicate { .. } | Fate::Held { .. } => Ok(()),
        Fate::Refused { reason } => Err(Failure::Failed(format!("{name}: {reason}"))),
    }
}

async fn sign_ins(accounts: &Accounts) -> Result<(), Failure> {
    for SignIn { name, admin, grant, .. } in SIGN_INS {
        match accounts.add(name, PASSWORD, admin).await {
            Ok(_) | Err(AccountError::Store(StoreError::Taken { .. })) => {}
            Err(error) => return Err(Failure::from_error(error)),
        }
        if let Some((role, family)) = grant {
            let grant = Grant { role, place: Place::family(parse(family)?) };
            accounts.grant(name, &grant).await.map_err(Failure::from_error)?;
        }
    }
    Ok(())
}

fn parse(slug: &str) -> Result<Slug, Failure> {
    slug.parse().map_err(Failure::from_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slug_of_the_plan_is_one() {
        for family in plan() {
            let subjects = family.pictures.iter().map(|picture| picture.subject);
            for slug in [family.slug, family.batch].into_iter().chain(subjects) {
                assert!(slug.parse::<Slug>().is_ok(), "{slug}");
            }
        }
    }
}
