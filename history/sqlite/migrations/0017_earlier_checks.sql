-- What checks said before a run that went on judged its answers anew. Never edited after a release.

alter table cells add column earlier_checks text not null default 'null'; -- arrays of results, the oldest first
