-- What a provider can do, how it answered last, and what each use falls back on.

-- JSON list of capabilities; null where nothing but its kind is known yet.
alter table provider add column capabilities text;
-- 1 when the admin chose them by hand: checks then leave them alone.
alter table provider add column capabilities_by_hand integer not null default 0;
-- The last time it was tried or used: when, how long the first sign of life took, how many models it listed, and the
-- code and words of its failure, null when it answered.
alter table provider add column checked_at integer;
alter table provider add column latency_ms integer;
alter table provider add column model_count integer;
alter table provider add column failure text;
alter table provider add column failure_detail text;

create table provider_default (
    -- What the household uses where nobody chose otherwise: `chat`, `small`, `embedding`, `image`, `search`.
    use text primary key,
    provider_id text not null references provider (id) on delete cascade,
    -- Null for a search engine, which has no models.
    model text
) strict, without rowid;
create index provider_default_by_provider on provider_default (provider_id);

create table model_override (
    -- What the admin knows better than the built-in table about a model of a provider. Null leaves the table's word.
    provider_id text not null references provider (id) on delete cascade,
    model text not null,
    context_tokens integer,
    max_output_tokens integer,
    -- US dollars per million tokens.
    input_price real,
    output_price real,
    primary key (provider_id, model)
) strict, without rowid;

-- Households from before there was a wizard have done without it.
insert or ignore into meta (key, value) select 'wizard_step', 'done' where exists (select 1 from kin);
