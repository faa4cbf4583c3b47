-- The same table as for SQLite; the reasons stand there.
create table watched_files (
    place text not null,
    path text not null,
    bytes bigint not null,
    modified bigint not null,
    taken_at bigint not null,
    refusal text,
    primary key (place, path)
);
