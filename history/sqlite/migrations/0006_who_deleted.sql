-- Which process deleted something, so that no other process takes away what can
-- still be undone there. Never edited after a release.

alter table trash add column owner_pid integer;                         -- null: an earlier release deleted it
alter table trash add column owner_started integer;
alter table trash add column owner_boot text;
alter table trash add column owner_host text;
