-- Parameters of personas, and what the speed of models is taken from. Never edited after a release.

alter table personas add column params text not null default ''; -- JSON; empty without parameters
drop index answers_by_speed;
create index answers_by_speed on answers(model, state, cached, id, elapsed, first_token, thinking, output_tokens)
	where copied = 0;
