//! What stands around every page of a person who has signed in.

use leptos::prelude::*;

use crate::{components::icon::Icon, model::Account};

#[component]
pub(super) fn Frame(account: Account, children: Children) -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            "To the content"
        </a>
        <header class="top">
            <a class="brand" href="/batches">
                <Logo />
                "Avatars"
            </a>
            <div class="top-end">
                {account
                    .admin
                    .then(|| {
                        view! {
                            <a class="button quiet" href="/quarantine" title="Quarantine">
                                <Icon name="#i-shield" />
                                <span>"Quarantine"</span>
                            </a>
                            <a class="button quiet" href="/failing" title="Pictures that cannot be shown">
                                <Icon name="#i-broken" />
                                <span>"Failing"</span>
                            </a>
                        }
                    })}
                <ThemeButton />
                <span class="who">{account.name}</span>
                <form method="post" action="/actions/sign-out">
                    <button type="submit" class="quiet" title="Sign out">
                        <Icon name="#i-out" />
                        <span>"Sign out"</span>
                    </button>
                </form>
            </div>
        </header>
        <main id="main">{children()}</main>
    }
}

/// Shown by the script that serves it, so that nobody sees a button that does nothing.
#[component]
pub(super) fn ThemeButton() -> impl IntoView {
    view! {
        <button
            type="button"
            class="tool"
            data-theme-button=""
            data-unready=""
            aria-label="Light or dark"
            title="Light or dark"
        >
            <Icon name="#i-theme" />
        </button>
    }
}

#[component]
pub(super) fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
            <rect x="2" y="2" width="20" height="20" rx="6"></rect>
            <circle cx="12" cy="9.5" r="3.4"></circle>
            <path d="M5.5 19a6.6 6.6 0 0 1 13 0"></path>
        </svg>
    }
}
