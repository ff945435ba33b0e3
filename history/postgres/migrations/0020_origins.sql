-- Where imported turns come from. Never edited after a release.

alter table confab_data.turns add column origin text not null default ''; -- unique among the turns of other programs; empty: asked here
create index turns_origin on confab_data.turns (owner, origin) where origin <> '';

select confab_data.publish('turns');
