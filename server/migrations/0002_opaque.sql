-- Passwords the server cannot read. Accounts made before have none until they get a reset link.

create table server_secret (
    -- A secret of this household's own, sealed with the master key. `opaque`: whoever loses it signs nobody in again.
    name text primary key,
    sealed blob not null
) strict, without rowid;

create table credential (
    -- What a member's sign-in is checked with. The server can neither read the password nor the two wrapped keys.
    member_id text primary key references member (id),
    -- Drawn at registration; OPAQUE's key for this member follows from it.
    credential_id blob not null,
    -- OPAQUE's registration record.
    record blob not null,
    -- Argon2id as it was at registration.
    memory_kib integer not null,
    passes integer not null,
    lanes integer not null,
    -- The member's replica key, wrapped by what only their device learns of the password.
    key_by_password blob not null,
    -- The same key, wrapped by the recovery code.
    key_by_recovery blob not null,
    -- SHA-256 of what proves that somebody holds the recovery code.
    recovery_proof_hash blob not null,
    changed_at integer not null
) strict;

alter table member drop column password_hash;

create index device_by_member on device (member_id);
create index login_by_device on login (device_id);
