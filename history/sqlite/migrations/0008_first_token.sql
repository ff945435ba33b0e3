-- How long the first part of a text took. Never edited after a release.

alter table answers add column first_token integer not null default 0; -- nanoseconds from sending; 0 when unknown
