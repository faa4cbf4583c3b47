//! Secrets that are handed out once, cookies and tokens, and the digests that stand for them in the database.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::{
    clock::{Chance, NoChance},
    originals::Sha256,
    store::Digest,
};

/// A secret that was just made.
pub(crate) struct Secret {
    /// For its owner alone.
    pub(crate) text: String,
    pub(crate) digest: Digest,
}

/// 32 random bytes as text, behind a prefix by which a leaked one can be recognised.
pub(crate) fn fresh(chance: &Chance, prefix: &str) -> Result<Secret, NoChance> {
    let text = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(chance.bytes::<32>()?));
    let digest = digest(&text);
    Ok(Secret { text, digest })
}

/// What stands for a secret in the database. A plain hash is enough: nobody can guess 32 random bytes.
pub(crate) fn digest(secret: &str) -> Digest {
    *Sha256::of(secret.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_secrets_are_never_the_same() {
        let (one, other) = (fresh(&Chance::system(), "avt_").unwrap(), fresh(&Chance::system(), "avt_").unwrap());
        assert_ne!(one.text, other.text);
        assert_eq!(one.text.len(), "avt_".len() + 43);
        assert_eq!(one.digest, digest(&one.text));
    }
}
