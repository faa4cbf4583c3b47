//! The authority in the studio's own database: accounts, grants and tokens, one question each time.

use app::{model::AssetId, studio::Caller};
use async_trait::async_trait;
use time::OffsetDateTime;

use super::{Action, Authority, Denial, Principal};
use crate::{
    accounts::secret,
    store::{Grant, MediaSource, Place, Scope, SessionRecord, Store, TokenRecord, TokenScope},
};

/// How long a use may go unnoted: reading a gallery must not mean a write for each request.
const NOTE_EVERY: time::Duration = time::Duration::minutes(5);

/// Decides by the studio's own accounts, grants and tokens.
#[derive(Clone, Debug)]
pub(crate) struct Builtin {
    store: Store,
}

/// A caller whose claim held.
enum Known {
    Session(SessionRecord),
    Token(TokenRecord),
}

impl Builtin {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// A bearer token speaks for itself alone: the cookie beside it counts for nothing.
    async fn known(&self, caller: &Caller) -> Result<Known, Denial> {
        let known = match (&caller.token, &caller.session) {
            (Some(token), _) => self.store.token(&secret::digest(token)).await?.map(Known::Token),
            (None, Some(session)) => self.store.session(&secret::digest(session)).await?.map(Known::Session),
            (None, None) => None,
        };
        known.ok_or(Denial::SignedOut)
    }

    fn principal(&self, known: Known) -> Principal {
        let now = self.store.clock().now();
        let old = |noted: OffsetDateTime| now - noted >= NOTE_EVERY;
        match known {
            Known::Session(session) => Principal {
                account: Some(session.account),
                admin: session.admin,
                unnoted: old(session.last_seen),
                name: session.name,
            },
            Known::Token(token) => Principal {
                account: None,
                admin: token.scope == TokenScope::Admin && token.family.is_none(),
                unnoted: token.last_used_at.is_none_or(old),
                name: token.name,
            },
        }
    }
}

impl Known {
    fn scope(&self, action: Action) -> Scope {
        match self {
            Self::Session(session) if session.admin => Scope::All,
            Self::Session(session) => {
                let allowed = |grant: &&Grant| action.allowed_to(grant.role);
                Scope::Only(session.grants.iter().filter(allowed).map(|grant| grant.place.clone()).collect())
            }
            Self::Token(token) if !action.allowed_by(token.scope) => Scope::Only(Vec::new()),
            Self::Token(token) => match &token.family {
                Some(family) => Scope::Only(vec![Place::family(family.clone())]),
                None => Scope::All,
            },
        }
    }
}

#[async_trait]
impl Authority for Builtin {
    async fn identify(&self, caller: &Caller) -> Result<Principal, Denial> {
        let known = self.known(caller).await?;
        Ok(self.principal(known))
    }

    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Denial> {
        let known = self.known(caller).await?;
        if known.scope(action).covers(place) { Ok(self.principal(known)) } else { Err(Denial::Refused) }
    }

    async fn scope(&self, caller: &Caller, action: Action) -> Result<(Principal, Scope), Denial> {
        let known = self.known(caller).await?;
        let scope = known.scope(action);
        Ok((self.principal(known), scope))
    }

    async fn see(&self, _: &Store, caller: &Caller, asset: AssetId) -> Result<Option<MediaSource>, Denial> {
        // A session and a picture are one question: galleries ask it hundreds of times. Tokens are rarer, and ask two.
        let (None, Some(session)) = (&caller.token, &caller.session) else {
            let found = self.store.media(asset).await?;
            let known = self.known(caller).await?;
            return allow(&known, found);
        };
        let seen = self.store.session_at(&secret::digest(session), asset).await?;
        let (session, found) = seen.ok_or(Denial::SignedOut)?;
        allow(&Known::Session(session), found)
    }

    async fn probe(&self) -> Result<String, String> {
        self.store.ping().await.map(|()| "built in".to_owned()).map_err(|error| error.to_string())
    }
}

/// What was found, where the caller may see the place that it is in.
fn allow(known: &Known, found: Option<(Place, MediaSource)>) -> Result<Option<MediaSource>, Denial> {
    match found {
        Some((place, _)) if !known.scope(Action::View).covers(&place) => Err(Denial::Refused),
        found => Ok(found.map(|(_, source)| source)),
    }
}
