-- Files that have arrived and are not known to be clean: seen by nobody. The bytes of each lie under its id in the
-- folder `quarantine`. The same file on its way to the same place is held once.
create table held_files (
    id blob not null primary key check (length(id) = 16),
    batch blob not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null check (length(sha256) = 64),
    bytes integer not null,
    name text not null,
    sender text not null,
    received_at integer not null,
    tries integer not null default 0,
    next_try integer not null,
    why text not null check (why in ('away', 'unscanned', 'too-large', 'not-taken')),
    reason text not null,
    unique (batch, subject, kind, sha256),
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
) strict;

create index held_files_next_try on held_files (next_try);

-- What became of files that were scanned and never taken in: infected ones, and held ones that were refused in the
-- end. Their bytes are gone; this is the record. Without a signature it was not the scanner that refused it.
create table refused_files (
    id blob not null primary key check (length(id) = 16),
    batch blob not null,
    family text not null,
    subject text not null,
    kind text not null check (kind in ('candidate', 'pipeline')),
    sha256 text not null check (length(sha256) = 64),
    bytes integer not null,
    name text not null,
    sender text not null,
    received_at integer not null,
    refused_at integer not null,
    signature text,
    reason text not null,
    foreign key (batch, family) references batches (id, family),
    foreign key (family, subject) references subjects (family, slug)
) strict;

create index refused_files_refused_at on refused_files (refused_at);
