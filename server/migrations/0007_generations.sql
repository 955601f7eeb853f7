create table retired_change (
    -- A member's change to a document that has been written anew since: accepted once, and not to be done again.
    document_id text not null,
    hash blob not null,
    at integer not null,
    primary key (document_id, hash)
) strict, without rowid;
