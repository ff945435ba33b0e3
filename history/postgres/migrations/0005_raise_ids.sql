-- The ids of rows that were copied from another history are not known to the sequence of their table. Never edited
-- after a release.

-- Makes the next id of a table greater than another one, and returns the last one that counts as used. Nobody adds a
-- row meanwhile.
create function confab.raise_ids(table_name text, lowest bigint) returns bigint
language plpgsql security definer set search_path = confab_data, pg_temp as $$
declare
  sequence constant text := pg_get_serial_sequence(format('confab_data.%I', table_name), 'id');
  last bigint;
begin
  execute format('lock table confab_data.%I in share row exclusive mode', table_name);
  execute format('select last_value from %s', sequence) into last;
  if last <= lowest and lowest > 0 then
    last := setval(sequence, lowest);
  end if;
  return last;
end $$;
revoke execute on function confab.raise_ids from public;
