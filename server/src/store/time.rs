//! Moments as the database holds them, milliseconds since 1970 UTC, and as the wire does, RFC 3339.

use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use super::StoreError;

pub(super) fn milliseconds(moment: OffsetDateTime) -> i64 {
    let since = (moment - OffsetDateTime::UNIX_EPOCH).whole_milliseconds();
    // Beyond 292 million years the clamp is as good an answer as any.
    since.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

pub(super) fn moment(milliseconds: i64) -> Option<OffsetDateTime> {
    OffsetDateTime::UNIX_EPOCH.checked_add(Duration::milliseconds(milliseconds))
}

/// The moment as RFC 3339, UTC, to the millisecond.
pub(crate) fn rfc3339(moment: OffsetDateTime) -> Result<String, StoreError> {
    moment.format(&Rfc3339).map_err(|error| StoreError::impossible("(none)", moment, error.to_string()))
}
