-- Branches of a session. Never edited after a release.

alter table turns add column parent integer not null default 0;          -- the turn that this one follows; 0 for the first
alter table turns add column off_path integer not null default 0;        -- 1: on a branch that the session does not show
update turns set parent = coalesce((
  select max(p.id) from turns p where p.session = turns.session and p.id < turns.id), 0);
create index turns_off_path on turns(session) where off_path = 1;
