-- Files of watched folders that have been dealt with, as they were then: a file that has not changed since is not read
-- again, whatever has become of it. `place` is where the folder's files go, as family/subject/batch.
create table watched_files (
    place text not null,
    path text not null,
    bytes integer not null,
    modified integer not null,
    taken_at integer not null,
    refusal text,
    primary key (place, path)
) strict;
