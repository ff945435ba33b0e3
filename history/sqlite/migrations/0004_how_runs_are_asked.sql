-- How a run was asked for, so that it goes on as it began. Never edited after a
-- release.

alter table runs add column how text not null default '';               -- JSON; empty where it was not kept
