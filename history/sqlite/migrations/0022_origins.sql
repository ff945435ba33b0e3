-- Where imported turns come from. Never edited after a release.

alter table turns add column origin text not null default ''; -- unique among the turns of other programs; empty: asked here
create index turns_origin on turns(origin) where origin <> '';
