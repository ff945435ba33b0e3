-- How much of a conversation went with a prompt. Never edited after a release.

alter table answers add column omitted_turns integer not null default 0;  -- earlier turns that did not go along
