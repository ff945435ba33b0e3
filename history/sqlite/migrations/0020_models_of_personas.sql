-- Models of personas. Never edited after a release.

alter table personas add column models text not null default ''; -- JSON; empty without models
