-- The name of a user whose history was deleted goes from those who have ever shared something. Never edited after a
-- release.
create function confab.remove_sharer() returns void
language sql security definer set search_path = confab_data, pg_temp as $$
  delete from sharers where name = current_setting('confab.owner');
$$;
revoke execute on function confab.remove_sharer from public;
