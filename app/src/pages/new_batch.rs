//! The form of a new batch. It works without scripts: a try that fails comes back with what was typed and why.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{hooks::use_query_map, location::Url};

use crate::{
    model::{Managed, Refusal},
    pages::{frame::Frame, load::page},
    shell::SlugFields,
};

/// What a person typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) title: String,
    /// The chosen one; empty where a new one was named.
    pub(crate) family: String,
    pub(crate) new_family: String,
    pub(crate) slug: String,
}

/// Why no batch was made, as the address says it: a word, never a text that a link could bring along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Title,
    Family,
    Slug,
    Taken,
    Forbidden,
    Failed,
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Title,
    Family,
    Slug,
}

impl Why {
    const ALL: [Self; 6] = [Self::Title, Self::Family, Self::Slug, Self::Taken, Self::Forbidden, Self::Failed];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Family => "family",
            Self::Slug => "slug",
            Self::Taken => "taken",
            Self::Forbidden => "forbidden",
            Self::Failed => "failed",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.as_str() == word)
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Title => "Give it a title of 1 to 200 characters.",
            Self::Family => "Choose a family, or name a new one in lower-case letters, digits and hyphens.",
            Self::Slug => {
                "A short name has 1 to 64 lower-case letters, digits and hyphens, with no hyphen at either end."
            }
            Self::Taken => "This family has a batch of that short name already. Choose another one.",
            Self::Forbidden => "You may not create batches in this family. Choose another one, or ask an admin.",
            Self::Failed => "That did not work just now. Nothing was created: please try again.",
        }
    }

    /// The field to look at, where it is one.
    const fn field(self) -> Option<Field> {
        match self {
            Self::Title => Some(Field::Title),
            Self::Family | Self::Forbidden => Some(Field::Family),
            Self::Slug | Self::Taken => Some(Field::Slug),
            Self::Failed => None,
        }
    }
}

/// The page's address, with what was typed and why it was not taken.
pub(crate) fn address(entered: &Entered, why: Why) -> String {
    let mut address = ["/batches/new?why=", why.as_str()].concat();
    let fields = [
        ("title", &entered.title),
        ("family", &entered.family),
        ("new_family", &entered.new_family),
        ("slug", &entered.slug),
    ];
    for (name, value) in fields {
        // Longer than a person types: an address has its limits.
        let value: String = value.chars().take(300).collect();
        address.push_str(&["&", name, "=", &Url::escape(&value)].concat());
    }
    address
}

#[component]
pub(crate) fn NewBatch() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let word = |name| query.get(name).unwrap_or_default();
    let why = Why::from_word(&word("why"));
    let entered =
        Entered { title: word("title"), family: word("family"), new_family: word("new_family"), slug: word("slug") };
    page(move |studio, caller| {
        let entered = entered.clone();
        async move {
            let account = studio.account(&caller).await?;
            let managed = studio.managed(&caller).await?;
            if managed.is_empty() {
                return Err(Refusal::Forbidden);
            }
            Ok(view! {
                <Title text="New batch" />
                <Frame account>
                    <div class="form-page">
                        <Form managed entered why />
                    </div>
                </Frame>
                <SlugFields />
            })
        }
    })
}

#[component]
fn Form(managed: Managed, entered: Entered, why: Option<Why>) -> impl IntoView {
    let wrong = move |field| (why.and_then(Why::field) == Some(field)).then_some("true");
    let said = move |field| wrong(field).map(|_| "why");
    let focus = why.and_then(Why::field).unwrap_or(Field::Title);
    view! {
        <form class="form-sheet" method="post" action="/actions/new-batch">
            <h1>"New batch"</h1>
            {why.map(|why| view! { <p class="refused" role="alert" id="why">{why.text()}</p> })}
            <label>
                "Title"
                <input
                    name="title"
                    type="text"
                    required
                    maxlength="200"
                    autocomplete="off"
                    placeholder="Spring 2027"
                    value=entered.title
                    autofocus=focus == Field::Title
                    aria-invalid=wrong(Field::Title)
                    aria-describedby=said(Field::Title)
                />
            </label>
            <Families
                managed
                chosen=entered.family
                named=entered.new_family
                wrong=wrong(Field::Family)
                said=said(Field::Family)
            />
            <label>
                "Short name"
                <input
                    name="slug"
                    type="text"
                    maxlength="64"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    placeholder="spring-2027"
                    data-slug=""
                    data-slug-of="title"
                    value=entered.slug
                    autofocus=focus == Field::Slug
                    aria-invalid=wrong(Field::Slug)
                    aria-describedby="slug-hint"
                />
                <span class="hint" id="slug-hint">
                    "For the command line and for exports. Left empty, it is made from the title."
                </span>
            </label>
            <div class="form-end">
                <button type="submit" class="primary">
                    "Create batch"
                </button>
                <a class="button quiet" href="/batches">
                    "Cancel"
                </a>
            </div>
        </form>
    }
}

/// The families to choose from, and the field for a new one where that is allowed: it shows once it is asked for.
#[component]
fn Families(
    managed: Managed,
    chosen: String,
    named: String,
    wrong: Option<&'static str>,
    said: Option<&'static str>,
) -> impl IntoView {
    let Managed { families, any } = managed;
    let none = families.is_empty();
    let new = any && chosen.is_empty() && !named.is_empty();
    let options = families
        .into_iter()
        .map(|family| {
            let selected = family.as_str() == chosen;
            view! { <option value=family.to_string() selected=selected>{family.to_string()}</option> }
        })
        .collect_view();
    view! {
        <div class="family" data-new=none.then_some("")>
            {(!none)
                .then(|| {
                    view! {
                        <label>
                            "Family"
                            <select name="family" aria-invalid=wrong aria-describedby=said>
                                {options}
                                {any.then(|| view! { <option value="" selected=new>"A new family…"</option> })}
                            </select>
                        </label>
                    }
                })}
            {any
                .then(|| {
                    view! {
                        <label class="new-family">
                            "New family"
                            <input
                                name="new_family"
                                type="text"
                                maxlength="64"
                                autocomplete="off"
                                autocapitalize="none"
                                spellcheck="false"
                                placeholder="lindqvist"
                                data-slug=""
                                value=named
                                aria-invalid=wrong
                                aria-describedby=said
                            />
                        </label>
                    }
                })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_keeps_what_was_typed_whatever_it_was() {
        let entered = Entered { title: "Frühling & <b>\n".to_owned(), slug: "a#b".to_owned(), ..Entered::default() };
        let address = address(&entered, Why::Taken);
        assert!(
            address.starts_with("/batches/new?why=taken&title=Fr%C3%BChling%20%26%20%3Cb%3E%0A&family=&"),
            "{address}"
        );
        assert!(address.ends_with("&slug=a%23b"), "{address}");
    }

    #[test]
    fn why_survives_the_address() {
        for why in Why::ALL {
            assert_eq!(Why::from_word(why.as_str()), Some(why));
        }
        assert_eq!(Why::from_word("<b>"), None);
    }
}
