-- Times are milliseconds since 1970 UTC. Ids are text with their prefix. `audience` is `household` or a member's id.

create table meta (
    -- One fact about this database: `epoch`, `household_name`.
    key text primary key,
    value text not null
) strict, without rowid;

create table member (
    -- A person with an account. The first is the admin.
    id text primary key,
    email text not null unique collate nocase,
    first_name text not null,
    last_name text not null,
    nickname text not null,
    avatar text not null default '',
    language text not null,
    role text not null check (role in ('admin', 'member')),
    -- Argon2id in PHC form.
    password_hash text not null,
    created_at integer not null,
    disabled_at integer
) strict;

create table device (
    -- One installed client of a member.
    id text primary key,
    member_id text not null references member (id),
    name text not null,
    created_at integer not null,
    last_seen_at integer not null,
    revoked_at integer
) strict;

create table login (
    -- One sign-in. The token itself is only in the client's cookie; this is its SHA-256.
    token_hash blob primary key,
    member_id text not null references member (id),
    device_id text not null references device (id),
    created_at integer not null,
    expires_at integer not null
) strict, without rowid;

create table token (
    -- A personal access token for scripts.
    id text primary key,
    token_hash blob not null unique,
    member_id text not null references member (id),
    name text not null,
    scopes text not null,
    created_at integer not null,
    revoked_at integer
) strict;

create table provider (
    -- A configured outside service. The key is sealed with the master key; the row's id is bound to it.
    id text primary key,
    name text not null,
    kind text not null,
    base_url text,
    key_sealed blob,
    created_by text not null references member (id),
    created_at integer not null
) strict;

create table kin (
    -- An agent. Projection of `home` and of its `kin` document.
    id text primary key,
    slug text not null unique,
    name text not null,
    role text not null,
    avatar text not null,
    hue text not null,
    character text not null,
    expertise text not null,
    provider_id text references provider (id) on delete set null,
    model text,
    position integer not null,
    created_by text not null references member (id),
    created_at integer not null,
    deleted_at integer
) strict;

create table session (
    -- A continuous thread of messages.
    id text primary key,
    kin_id text not null references kin (id),
    kind text not null check (kind in ('household')),
    audience text not null,
    -- The open chapter's number.
    chapter integer not null,
    next_seq integer not null,
    created_at integer not null
) strict;
create index session_by_kin on session (kin_id);

create table document (
    -- A replicated document as the hot path needs it: its end, not its content.
    id text primary key,
    audience text not null,
    generation integer not null,
    -- Hashes of the current heads, 32 bytes each, ascending.
    heads blob not null,
    max_op integer not null,
    -- Sum of the changes' sizes.
    bytes integer not null,
    -- Messages in it, for a chapter.
    messages integer not null default 0,
    closed_at integer,
    -- The server's own actor in this document and its last sequence number.
    server_actor blob not null,
    server_seq integer not null
) strict;
create index document_by_audience on document (audience);

create table audience_log (
    -- How far each audience's log has come.
    audience text primary key,
    position integer not null
) strict, without rowid;

create table change (
    -- An accepted change. Append-only; positions are gapless from 1 in each audience.
    audience text not null,
    position integer not null,
    document_id text not null,
    generation integer not null,
    hash blob not null,
    actor blob not null,
    actor_seq integer not null,
    max_op integer not null,
    -- Hashes it depends on, 32 bytes each.
    deps blob not null,
    -- Who pushed it; null when the server wrote it.
    member_id text,
    device_id text,
    at integer not null,
    bytes blob not null,
    primary key (audience, position)
) strict;
create unique index change_by_hash on change (document_id, hash);
create index change_by_document on change (document_id, generation, position);

create table actor (
    -- A writer of a document, registered to a device on first use.
    document_id text not null,
    actor blob not null,
    device_id text not null,
    last_seq integer not null,
    -- Its newest change; what it writes next must descend from it.
    last_hash blob not null,
    primary key (document_id, actor)
) strict, without rowid;

create table message (
    -- A message as everything but the replicas reads it. Written in the transaction of its change.
    id text primary key,
    session_id text not null references session (id),
    chapter integer not null,
    seq integer not null,
    audience text not null,
    -- A member's or a Kin's id.
    author text not null,
    text text not null,
    sent_at integer not null,
    admitted_at integer not null,
    answers text,
    turn_id text,
    state text not null,
    failure text,
    -- Its object in the chapter: operation counter and actor; and the operation that last set its state, if any.
    obj_op integer not null,
    obj_actor blob not null,
    state_op integer,
    state_actor blob,
    unique (session_id, seq)
) strict;
create unique index message_by_turn on message (turn_id) where turn_id is not null;
create index message_by_answered on message (answers) where answers is not null;

create table queue_entry (
    -- A message that waits for a turn. Gone once a turn has taken it up.
    message_id text primary key references message (id),
    session_id text not null references session (id),
    -- Lower goes first: 0 member, 1 automatic.
    priority integer not null,
    seq integer not null
) strict, without rowid;
create index queue_by_session on queue_entry (session_id, priority, seq);

create table turn (
    -- One exchange. `state` is shared::turn::TurnState as JSON.
    id text primary key,
    session_id text not null references session (id),
    kin_id text not null references kin (id),
    message_id text not null references message (id),
    audience text not null,
    state text not null,
    attempt integer not null default 0,
    -- Checkpoint of the running attempt's text.
    partial text not null default '',
    created_at integer not null,
    ended_at integer,
    input_tokens integer,
    output_tokens integer
) strict;
create unique index turn_running on turn (session_id) where ended_at is null;

create table turn_step (
    -- The journal of a turn: each model call, begun and ended.
    turn_id text not null references turn (id),
    number integer not null,
    kind text not null,
    attempt integer not null,
    at integer not null,
    outcome text,
    primary key (turn_id, number)
) strict, without rowid;

create table command (
    -- What a command was answered with, so that a repeat repeats the answer and not the deed.
    id text primary key,
    member_id text not null,
    -- Null when done, else the refusal's code.
    refusal text,
    at integer not null
) strict, without rowid;

create table idempotency (
    -- What a REST request with an Idempotency-Key was answered with.
    member_id text not null,
    key text not null,
    request_hash blob not null,
    status integer not null,
    body text not null,
    at integer not null,
    primary key (member_id, key)
) strict, without rowid;

create table event (
    -- Something that happened, written in the transaction that caused it; delivered at least once.
    id integer primary key autoincrement,
    event_id text not null unique,
    name text not null,
    audience text not null,
    at integer not null,
    data text not null
) strict;

create table audit (
    -- Sensitive deeds and refused changes. Append-only; never message text.
    id integer primary key autoincrement,
    at integer not null,
    member_id text,
    device_id text,
    action text not null,
    detail text not null
) strict;
