-- Searching for a word that one row in a hundred has. Never edited after a release.

-- The index of words finds rows in no order, so the newest ones with a word were found by reading all that have it.
-- Each row has a further word in the index now, which says in which block of 65,536 ids it is (an @ begins no word of
-- a text), so that the newest blocks can be asked for first. Making the index again takes about as long as it did at
-- first: half an hour for ten million answers on two cores.
drop index confab_data.words_of_answers, confab_data.words_of_turns, confab_data.words_of_sessions;
create index words_of_answers on confab_data.words
  using gin ((words || array_to_tsvector(array['@' || (id >> 16)::text]))) with (fastupdate = off) where kind = 'answer';
create index words_of_turns on confab_data.words
  using gin ((words || array_to_tsvector(array['@' || (id >> 16)::text]))) with (fastupdate = off) where kind = 'turn';
create index words_of_sessions on confab_data.words
  using gin ((words || array_to_tsvector(array['@' || (id >> 16)::text]))) with (fastupdate = off) where kind = 'session';

-- Returns the newest rows of a kind below an id that match a query, by the index, in which it looks for those that match
-- a part of the query: the rest would find too many there. It looks into ever more blocks at once, and into all further
-- ones as soon as they promise few matches.
create or replace function confab.search_narrowed(wanted_kind text, part tsquery, query tsquery, below bigint, wanted int)
returns setof bigint language plpgsql stable security definer set search_path = confab_data, pg_temp
set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  who constant text := current_setting('confab.from');
  is_own constant boolean := who = current_setting('confab.owner');
  few constant int := 2000;
  width int := 2; -- the newest block may hold a few rows alone
  are_few boolean := false;
  high bigint;
  low bigint;
  lowest bigint;
  narrowed tsquery;
  found_rows int;
begin
  select min(id) >> 16, least(max(id), below - 1) >> 16 into lowest, high from words
    where owner = who and kind = wanted_kind;
  while high >= lowest and wanted > 0 loop
    low := greatest(high - width + 1, lowest);
    narrowed := part;
    if are_few then
      low := lowest;
    else
      narrowed := part && (select string_agg('''@' || block || '''', '|') from generate_series(low, high) block)::tsquery;
    end if;
    return query select w.id from words w
      where (w.words || array_to_tsvector(array['@' || (w.id >> 16)::text])) @@ narrowed
        and w.owner || '' = who and w.kind = wanted_kind and w.id + 0 < least(below, (high + 1) << 16)
        and (part = query or (w.words @@ query) is true) and (is_own or is_shared(wanted_kind, who, w.id))
      order by w.id desc limit wanted;
    get diagnostics found_rows = row_count;
    wanted := wanted - found_rows;
    high := low - 1;
    are_few := found_rows * (high - lowest + 1) < few * width;
    width := 4 * width;
  end loop;
end $$;
