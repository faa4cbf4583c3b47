-- The same tables as for SQLite; the reasons stand there.
create table held_files (
    id uuid not null primary key,
    batch uuid not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null check (length(sha256) = 64),
    bytes bigint not null,
    name text not null,
    sender text not null,
    received_at bigint not null,
    tries bigint not null default 0,
    next_try bigint not null,
    why text not null check (why in ('away', 'unscanned', 'too-large', 'not-taken')),
    reason text not null,
    unique (batch, subject, kind, sha256),
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
);

create index held_files_next_try on held_files (next_try);

create table refused_files (
    id uuid not null primary key,
    batch uuid not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null check (length(sha256) = 64),
    bytes bigint not null,
    name text not null,
    sender text not null,
    received_at bigint not null,
    refused_at bigint not null,
    signature text,
    reason text not null,
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
);

create index refused_files_refused_at on refused_files (refused_at);
