-- Waiting for a place is no time of the model. Never edited after a release.

alter table confab_data.answers add column queue_wait bigint not null default 0; -- nanoseconds, in confab and at its service

select confab_data.publish('answers');
