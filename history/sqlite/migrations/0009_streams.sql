-- Parts of answers, reasoning, tokens, cost and parameters. Never edited after a release.

alter table turns add column params text not null default '';             -- JSON; empty without parameters
alter table answers add column reasoning text not null default '';        -- what the model wrote before its answer
alter table answers add column finish text not null default '';           -- stop, length, filter; empty when unknown
alter table answers add column input_tokens integer not null default 0;   -- as the engine counts; 0 when unknown
alter table answers add column output_tokens integer not null default 0;
alter table answers add column reasoning_tokens integer not null default 0;
alter table answers add column cost real not null default 0;              -- by the prices at its time
alter table answers add column currency text not null default '';         -- empty when the cost is unknown
alter table answers add column thinking integer not null default 0;       -- nanoseconds of reasoning
alter table answers add column sent_messages text not null default '';    -- JSON; empty without messages before the prompt
alter table answers add column ignored text not null default '';          -- JSON; what was asked for and not sent
