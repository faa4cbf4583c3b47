//! Why a rendition cannot be had.

use std::{io, time::Duration};

use crate::{
    admission::BudgetError,
    pictures::{render::Unrendered, unreadable::Unreadable},
    video::VideoError,
};

/// Why a rendition cannot be had. Cheap to clone: all who waited for one render get the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The original is no picture, or a broken one: it will not get better by asking again.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("the picture needs {asked} bytes of memory to render; all renders together may hold {total}")]
    TooHeavy { asked: u64, total: u64 },
    #[error("too many pictures are being rendered")]
    Busy { retry_after: Duration },
    #[error("the original cannot be read: {0}")]
    Original(String),
    #[error(transparent)]
    Video(#[from] VideoError),
    #[error(transparent)]
    Unrendered(#[from] Unrendered),
    #[error("rendering the picture failed unexpectedly")]
    Panicked,
    #[error("rendering the picture took longer than {} s", .0.as_secs())]
    TooSlow(Duration),
    #[error("the server is stopping")]
    Interrupted,
}

impl RenderError {
    pub(super) fn original(error: &io::Error) -> Self {
        Self::Original(error.to_string())
    }

    /// Whether asking again cannot help.
    pub(super) const fn lasting(&self) -> bool {
        match self {
            Self::Unreadable(_) | Self::Unrendered(_) | Self::TooHeavy { .. } | Self::Panicked | Self::TooSlow(_) => {
                true
            }
            Self::Video(error) => error.lasting(),
            Self::Busy { .. } | Self::Original(_) | Self::Interrupted => false,
        }
    }
}

impl From<BudgetError> for RenderError {
    fn from(error: BudgetError) -> Self {
        match error {
            BudgetError::TooLarge { asked, total } => Self::TooHeavy { asked, total },
            BudgetError::TimedOut { retry_after } => Self::Busy { retry_after },
        }
    }
}
