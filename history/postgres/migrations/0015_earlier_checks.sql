-- What checks said before a run that went on judged its answers anew. Never edited after a release.

alter table confab_data.cells add column earlier_checks text not null default 'null'; -- JSON, the oldest first

select confab_data.publish('cells');
