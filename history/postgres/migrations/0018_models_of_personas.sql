-- Models of personas. Never edited after a release.

alter table confab_data.personas add column models text not null default ''; -- JSON; empty without models

select confab_data.publish('personas');
