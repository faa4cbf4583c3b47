-- The same tables as for SQLite, in the same order; the reasons stand there.

create table accounts (
    id uuid not null primary key,
    name text not null unique,
    password text not null,
    admin boolean not null,
    disabled boolean not null default false,
    created_at bigint not null
);

create table sessions (
    token bytea not null primary key check (length(token) = 32),
    account uuid not null references accounts (id) on delete cascade,
    created_at bigint not null,
    last_seen bigint not null,
    expires bigint not null
);

create index sessions_account on sessions (account);

create table families (
    slug text not null primary key,
    created_at bigint not null
);

create table subjects (
    family text not null references families (slug),
    slug text not null,
    created_at bigint not null,
    primary key (family, slug)
);

create table grants (
    account uuid not null references accounts (id) on delete cascade,
    family text not null references families (slug),
    subject text,
    role text not null check (role in ('viewer', 'reviewer', 'manager')),
    created_at bigint not null,
    foreign key (family, subject) references subjects (family, slug)
);

create unique index grants_place on grants (account, family, (coalesce(subject, '')));

create table tokens (
    hash bytea not null primary key check (length(hash) = 32),
    name text not null,
    scope text not null check (scope in ('read', 'review', 'import', 'admin')),
    family text references families (slug),
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
);

create unique index tokens_name on tokens (name) where revoked_at is null;

create table batches (
    id uuid not null primary key,
    family text not null references families (slug),
    slug text not null,
    title text not null,
    status text not null default 'open' check (status in ('open', 'closed')),
    revision bigint not null default 0,
    created_at bigint not null,
    unique (family, slug),
    unique (id, family)
);

create table originals (
    sha256 text not null primary key check (length(sha256) = 64),
    bytes bigint not null,
    mime text not null,
    width bigint not null,
    height bigint not null,
    animated boolean not null,
    placeholder text,
    created_at bigint not null
);

create table assets (
    seq bigint generated always as identity primary key,
    id uuid not null unique,
    batch uuid not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null references originals (sha256),
    original_name text not null,
    decision text not null default 'undecided' check (decision in ('undecided', 'approved', 'rejected')),
    version bigint not null default 0,
    decided_by text,
    decided_at bigint,
    created_at bigint not null,
    unique (batch, subject, kind, sha256),
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
);

create index assets_order on assets (batch, seq);
create index assets_counts on assets (batch, kind, family, subject, decision);
create index assets_original on assets (sha256);

create table changes (
    id uuid not null primary key,
    account uuid references accounts (id),
    actor text not null,
    at bigint not null,
    undoes uuid references changes (id)
);

create table history (
    asset uuid not null references assets (id),
    version bigint not null,
    change uuid not null references changes (id),
    was text not null,
    became text not null,
    primary key (asset, version)
);

create index history_change on history (change);

create function history_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'history is append-only';
end
$$;

create trigger history_is_append_only before update or delete on history
for each row execute function history_is_append_only();
