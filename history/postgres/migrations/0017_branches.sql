-- Branches of a session. Never edited after a release.

alter table confab_data.turns add column parent bigint not null default 0;     -- the turn that this one follows; 0 for the first
alter table confab_data.turns add column off_path smallint not null default 0; -- 1: on a branch that the session does not show
update confab_data.turns t set parent = coalesce((
  select max(p.id) from confab_data.turns p where p.owner = t.owner and p.session = t.session and p.id < t.id), 0);
create index turns_off_path on confab_data.turns (owner, session) where off_path = 1;

select confab_data.publish('turns');
