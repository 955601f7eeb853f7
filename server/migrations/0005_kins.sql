create table picture (
    -- A face somebody gave or a provider drew: square, without the file's own metadata. The id is the first 16 bytes of
    -- the SHA-256 of `bytes`, so equal pictures are one row.
    id text primary key,
    media_type text not null,
    bytes blob not null,
    -- When it was last given; nobody referring to it a day later, it goes.
    given_at integer not null
) strict;

-- Put away: not in lists, not written to, its thread stays readable.
alter table kin add column archived_at integer;
-- Who deleted it; it can be brought back for 30 days after `deleted_at`.
alter table kin add column deleted_by text references member (id);
