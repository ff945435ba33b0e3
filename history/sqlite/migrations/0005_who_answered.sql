-- Who answered, as far as the service tells. Never edited after a release.

alter table answers add column engine text not null default '';         -- its name in the service's configuration; empty when it did not tell
alter table answers add column engine_model text not null default '';   -- what that engine calls the model
alter table answers add column service_note text not null default '';   -- how the answer differs from what was asked
