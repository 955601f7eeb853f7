-- The people of the house: ways in that work once, members who have left, an audit log that shows tampering.

-- Set when a member has left for good. The row stays for what they wrote; nothing in it says any more who they were.
alter table member add column gone_at integer;

create table invitation (
    -- A way in that works once. The token is only in its link; this is its SHA-256.
    id text primary key,
    token_hash blob not null unique,
    role text not null check (role in ('admin', 'member')),
    -- What the invited person is greeted in; null when nobody said.
    language text,
    created_by text not null references member (id),
    created_at integer not null,
    expires_at integer not null,
    used_at integer,
    used_by text references member (id)
) strict;

create table reset (
    -- A way for a member to choose another password, once. As with an invitation, this is the hash of its token.
    token_hash blob primary key,
    member_id text not null references member (id),
    created_by text not null references member (id),
    created_at integer not null,
    expires_at integer not null,
    used_at integer
) strict, without rowid;
create index reset_by_member on reset (member_id);

-- Under which right or proof the deed was allowed.
alter table audit add column why text not null default '';
-- SHA-256 over the row before and this one. Null in rows from before there was a chain, which its first link covers.
alter table audit add column hash blob;

create trigger audit_is_not_changed before update on audit begin
    select raise(abort, 'the audit log is append-only');
end;
create trigger audit_is_not_shortened before delete on audit begin
    select raise(abort, 'the audit log is append-only');
end;
-- `replace` takes a row's place without asking the triggers above.
create trigger audit_is_not_replaced before insert on audit when exists (select 1 from audit where id = new.id) begin
    select raise(abort, 'the audit log is append-only');
end;
