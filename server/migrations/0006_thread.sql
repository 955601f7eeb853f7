-- Replies and reactions.

-- The message of the same session that this one quotes.
alter table message add column reply_to text;

create table reaction (
    -- How a member reacts to a message: one emoji. Projection of the chapters' reactions, written with their change.
    message_id text not null references message (id),
    member_id text not null references member (id),
    emoji text not null,
    at integer not null,
    primary key (message_id, member_id)
) strict, without rowid;
