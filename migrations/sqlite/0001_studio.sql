-- Times are milliseconds since 1970, UTC: they compare as numbers on both engines. Ids are the 16 bytes of a UUID v7.

create table accounts (
    id blob not null primary key check (length(id) = 16),
    name text not null unique,
    password text not null,
    admin integer not null check (admin in (0, 1)),
    disabled integer not null default 0 check (disabled in (0, 1)),
    created_at integer not null
) strict;

-- Only the SHA-256 of a cookie is kept: who reads the database cannot sign in with it.
create table sessions (
    token blob not null primary key check (length(token) = 32),
    account blob not null references accounts (id) on delete cascade,
    created_at integer not null,
    last_seen integer not null,
    expires integer not null
) strict;

create index sessions_account on sessions (account);

create table families (
    slug text not null primary key,
    created_at integer not null
) strict;

create table subjects (
    family text not null references families (slug),
    slug text not null,
    created_at integer not null,
    primary key (family, slug)
) strict;

-- Without a subject a grant holds for the whole family.
create table grants (
    account blob not null references accounts (id) on delete cascade,
    family text not null references families (slug),
    subject text,
    role text not null check (role in ('viewer', 'reviewer', 'manager')),
    created_at integer not null,
    foreign key (family, subject) references subjects (family, slug)
) strict;

create unique index grants_place on grants (account, family, (coalesce(subject, '')));

create table tokens (
    hash blob not null primary key check (length(hash) = 32),
    name text not null,
    scope text not null check (scope in ('read', 'review', 'import', 'admin')),
    family text references families (slug),
    created_at integer not null,
    last_used_at integer,
    revoked_at integer
) strict;

-- A revoked token stays for the record, and its name is free again.
create unique index tokens_name on tokens (name) where revoked_at is null;

create table batches (
    id blob not null primary key check (length(id) = 16),
    family text not null references families (slug),
    slug text not null,
    title text not null,
    status text not null default 'open' check (status in ('open', 'closed')),
    -- Grows with each change: writing it is also how a change locks its batch.
    revision integer not null default 0,
    created_at integer not null,
    unique (family, slug),
    unique (id, family)
) strict;

create table originals (
    sha256 text not null primary key check (length(sha256) = 64),
    bytes integer not null,
    mime text not null,
    width integer not null,
    height integer not null,
    animated integer not null check (animated in (0, 1)),
    placeholder text,
    created_at integer not null
) strict;

-- The family is the batch's, repeated here so that a right is checked against one row.
create table assets (
    seq integer primary key autoincrement,
    id blob not null unique check (length(id) = 16),
    batch blob not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null references originals (sha256),
    original_name text not null,
    decision text not null default 'undecided' check (decision in ('undecided', 'approved', 'rejected')),
    version integer not null default 0,
    decided_by text,
    decided_at integer,
    created_at integer not null,
    unique (batch, subject, kind, sha256),
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
) strict;

create index assets_order on assets (batch, seq);
create index assets_counts on assets (batch, kind, family, subject, decision);
create index assets_original on assets (sha256);

-- One act of deciding. The actor's name is kept as it was: an account or a token may be gone later.
create table changes (
    id blob not null primary key check (length(id) = 16),
    account blob references accounts (id),
    actor text not null,
    at integer not null,
    undoes blob references changes (id)
) strict;

create table history (
    asset blob not null references assets (id),
    version integer not null,
    change blob not null references changes (id),
    was text not null,
    became text not null,
    primary key (asset, version)
) strict;

create index history_change on history (change);

create trigger history_is_append_only_update before update on history
begin
    select raise(abort, 'history is append-only');
end;

create trigger history_is_append_only_delete before delete on history
begin
    select raise(abort, 'history is append-only');
end;
