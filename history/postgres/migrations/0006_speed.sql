-- What searching, listing and recording take with many rows. Never edited after a release.

-- The functions that tell whether a row is shared are called for rows of others alone. PostgreSQL evaluates the
-- policies of a table in an order of its own, and called them for each row of the user.
do $$
declare
  p record;
begin
  for p in select c.relname, pg_get_expr(q.polqual, q.polrelid) as rows from pg_policy q join pg_class c on c.oid = q.polrelid
    where c.relnamespace = 'confab_data'::regnamespace and q.polname = 'shared'
  loop
    execute format('alter policy shared on confab_data.%I using (owner <> current_setting(''confab.owner'', true) and (%s))',
      p.relname, p.rows);
  end loop;
end $$;

-- Recording a turn asks for the newest use of any session.
create index sessions_by_touch on confab_data.sessions (owner, touched);

-- An index of words for each kind of rows, as searches look for one kind. Words go into it at once: collected ones were
-- moved into it by whoever happened to record a turn then, and had to be read by every search until then.
create index words_of_answers on confab_data.words using gin (words) with (fastupdate = off) where kind = 'answer';
create index words_of_turns on confab_data.words using gin (words) with (fastupdate = off) where kind = 'turn';
create index words_of_sessions on confab_data.words using gin (words) with (fastupdate = off) where kind = 'session';
drop index confab_data.words_by_word;

-- Returns the newest rows of a kind below an id that match a query, by the index, in which it looks for those that match
-- a part of the query: the rest would find too many there. It takes the place of search_index. A plan for any kind could
-- not use the index of one.
create function confab.search_narrowed(wanted_kind text, part tsquery, query tsquery, below bigint, wanted int)
returns setof bigint language plpgsql stable security definer set search_path = confab_data, pg_temp
set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  who constant text := current_setting('confab.from');
  is_own constant boolean := who = current_setting('confab.owner');
begin
  return query select w.id from words w
    where w.words @@ part and w.owner || '' = who and w.kind = wanted_kind and w.id + 0 < below
      and (part = query or (w.words @@ query) is true) and (is_own or is_shared(wanted_kind, who, w.id))
    order by w.id desc limit wanted;
end $$;
revoke execute on function confab.search_narrowed from public;
drop function confab.search_index;
