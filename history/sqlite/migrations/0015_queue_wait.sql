-- Waiting for a place is no time of the model. Never edited after a release.

alter table answers add column queue_wait integer not null default 0; -- nanoseconds, in confab and at its service
