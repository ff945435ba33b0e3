-- Sessions and runs that a user shares with all others, and votes on them. Never edited after a release.
--
-- The setting confab.owner names the user, as before. The setting confab.from names the one whose rows the views choose:
-- the user, or another one. Row-level security lets a user read of the rows of others what is_shared says, and write
-- nothing of it.

alter table confab_data.sessions add column shared smallint not null default 0;
alter table confab_data.runs add column shared smallint not null default 0;
create index sessions_shared on confab_data.sessions (owner) where shared = 1;
create index runs_shared on confab_data.runs (owner) where shared = 1;

-- Whose answers a vote is on. The owner of the row is who voted.
alter table confab_data.votes add column answers_owner text;
update confab_data.votes set answers_owner = owner;
alter table confab_data.votes alter column answers_owner set not null, alter column answers_owner
  set default coalesce(nullif(current_setting('confab.from', true), ''), current_setting('confab.owner'));
alter table confab_data.votes
  drop constraint votes_owner_turn_fkey,
  drop constraint votes_owner_answer_a_fkey,
  drop constraint votes_owner_answer_b_fkey,
  add foreign key (answers_owner, turn) references confab_data.turns (owner, id) on delete cascade,
  add foreign key (answers_owner, answer_a) references confab_data.answers (owner, id) on delete cascade,
  add foreign key (answers_owner, answer_b) references confab_data.answers (owner, id) on delete cascade;
create index votes_by_answers_turn on confab_data.votes (answers_owner, turn);
create index votes_by_answers on confab_data.votes (answers_owner, answer_a);
create index votes_by_other_answers on confab_data.votes (answers_owner, answer_b);

create or replace function confab_data.publish(name text) returns void language plpgsql as $$
begin
  execute format('alter table confab_data.%I enable row level security', name);
  execute format('drop policy if exists own on confab_data.%I', name);
  execute format('create policy own on confab_data.%I using (owner = current_setting(''confab.owner'', true))', name);
  execute format('create or replace view confab.%1$I with (security_invoker = true) as select * from confab_data.%1$I '
    'where owner = current_setting(''confab.from'', true) with check option', name);
end $$;
select confab_data.publish(c.relname) from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner'
where c.relnamespace = 'confab_data'::regnamespace and c.relkind = 'r';

-- One's own votes, and all that one may read.
create or replace view confab.votes with (security_invoker = true) as select * from confab_data.votes
  where owner = current_setting('confab.owner', true) and answers_owner = current_setting('confab.from', true)
  with check option;
create view confab.team_votes with (security_invoker = true) as select * from confab_data.votes
  where answers_owner = current_setting('confab.from', true);

-- Whether all users may read a row. What was deleted is not shared. A shared run lets them read its session's row, its
-- cells and their turns, and nothing else of the session. The functions see all rows, as those that search do.
create function confab_data.is_shared(kind text, whose text, entry bigint) returns boolean
language plpgsql stable security definer cost 10 set search_path = confab_data, pg_temp as $$
begin
  case kind
    when 'session' then
      return exists (select from sessions s where s.owner = whose and s.id = entry and s.trash = 0
        and (s.shared = 1 or exists (select from runs r where r.owner = whose and r.session = entry and r.shared = 1)));
    when 'run' then
      return exists (select from runs r join sessions s on s.owner = whose and s.id = r.session
        where r.owner = whose and r.id = entry and s.trash = 0 and 1 in (r.shared, s.shared));
    when 'turn' then
      return exists (select from turns t join sessions s on s.owner = whose and s.id = t.session
        where t.owner = whose and t.id = entry and t.trash = 0 and s.trash = 0
          and (s.shared = 1 or exists (select from cells c join runs r on r.owner = whose and r.id = c.run
            where c.owner = whose and c.turn = entry and r.shared = 1)));
    when 'answer' then
      return exists (select from answers a where a.owner = whose and a.id = entry and a.trash = 0
        and is_shared('turn', whose, a.turn));
  end case;
end $$;
create policy shared on confab_data.sessions for select using (confab_data.is_shared('session', owner, id));
create policy shared on confab_data.runs for select using (confab_data.is_shared('run', owner, id));
create policy shared on confab_data.cells for select
  using (confab_data.is_shared('run', owner, run) and confab_data.is_shared('turn', owner, turn));
create policy shared on confab_data.turns for select using (confab_data.is_shared('turn', owner, id));
create policy shared on confab_data.answers for select using (confab_data.is_shared('answer', owner, id));
create policy shared on confab_data.words for select using (confab_data.is_shared(kind, owner, id));

-- Whether the user has voted on a pair of answers, in either order.
create function confab_data.has_voted(whose text, one bigint, other bigint) returns boolean
language sql stable security definer set search_path = confab_data, pg_temp as $$
  select exists (select from votes v where v.owner = current_setting('confab.owner', true) and v.answers_owner = whose
    and v.answer_a in (one, other) and v.answer_b in (one, other));
$$;
create policy shared on confab_data.votes for select
  using ((answers_owner = current_setting('confab.owner', true)
      or confab_data.is_shared('answer', answers_owner, answer_a))
    and confab_data.has_voted(answers_owner, answer_a, answer_b));
create policy on_readable on confab_data.votes as restrictive using (true)
  with check (answers_owner = current_setting('confab.owner', true)
    or confab_data.is_shared('answer', answers_owner, answer_a)
      and confab_data.is_shared('answer', answers_owner, answer_b));

-- How many votes of others on a run the user cannot read yet.
create function confab.hidden_votes(of_run bigint) returns bigint
language plpgsql stable security definer set search_path = confab_data, pg_temp as $$
declare
  me constant text := current_setting('confab.owner');
  whose constant text := current_setting('confab.from');
begin
  if whose <> me and not is_shared('run', whose, of_run) then
    return 0;
  end if;
  return (select count(*) from votes v where v.answers_owner = whose and v.owner <> me
    and v.turn in (select c.turn from cells c where c.owner = whose and c.run = of_run)
    and not has_voted(whose, v.answer_a, v.answer_b));
end $$;

-- Users who have ever shared something. Their numbers tell the ids of their entries from those of others: histories that
-- were copied here may have the same ids.
create table confab_data.sharers (
  number bigint generated always as identity primary key,
  name text not null unique
);
alter table confab_data.sharers enable row level security;
create policy readable on confab_data.sharers for select using (true);
create view confab.sharers with (security_invoker = true) as select * from confab_data.sharers;
create function confab.add_sharer() returns void
language sql security definer set search_path = confab_data, pg_temp as $$
  insert into sharers (name) select current_setting('confab.owner')
    where not exists (select from sharers where name = current_setting('confab.owner'));
$$;

-- The numbers of the other users who share anything now.
create function confab.sharing_users() returns setof bigint
language sql stable security definer set search_path = confab_data, pg_temp as $$
  select n.number from sharers n where n.name <> current_setting('confab.owner')
    and (exists (select from sessions s where s.owner = n.name and s.shared = 1)
      or exists (select from runs r where r.owner = n.name and r.shared = 1)) order by 1;
$$;

-- The two ways to search, now also in what another user shares.
create or replace function confab.search_recent(wanted_kind text, query tsquery, below bigint, looked_at int, wanted int)
returns bigint[] language plpgsql stable security definer set search_path = confab_data, pg_temp as $$
declare
  who constant text := current_setting('confab.from');
  is_own constant boolean := who = current_setting('confab.owner');
  lowest bigint;
  row_count int;
  found bigint[];
begin
  select min(n.id), count(*) into lowest, row_count from (select w.id from words w
    where w.owner = who and w.kind = wanted_kind and w.id < below order by w.id desc limit looked_at) n;
  found := array(select w.id from words w
    where w.owner = who and w.kind = wanted_kind and w.id < below and w.id >= lowest and (w.words @@ query) is true
      and (is_own or is_shared(wanted_kind, who, w.id))
    order by w.id desc limit wanted);
  if cardinality(found) = wanted then
    return found[wanted] || found;
  end if;
  return case when row_count < looked_at then 0 else lowest end || found;
end $$;
create or replace function confab.search_index(wanted_kind text, query tsquery, below bigint, wanted int)
returns setof bigint language plpgsql stable security definer set search_path = confab_data, pg_temp as $$
declare
  who constant text := current_setting('confab.from');
  is_own constant boolean := who = current_setting('confab.owner');
begin
  return query select w.id from words w
    where w.words @@ query and w.owner || '' = who and w.kind || '' = wanted_kind and w.id + 0 < below
      and (is_own or is_shared(wanted_kind, who, w.id))
    order by w.id desc limit wanted;
end $$;
revoke execute on function confab.hidden_votes, confab.add_sharer, confab.sharing_users from public;
