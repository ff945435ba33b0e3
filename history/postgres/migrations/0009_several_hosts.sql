-- What several hosts do as one. Never edited after a release.

-- Users of confab ssh whom the operator keeps out of every host.
create table confab_data.disabled_users (name text primary key);
create view confab.disabled_users with (security_invoker = true) as select * from confab_data.disabled_users;

-- The users with answers that are being written by processes whose leases have run out. It sees all rows.
create function confab.users_of_dead_processes() returns setof text
language sql stable security definer set search_path = confab_data, pg_temp as $$
  select distinct a.owner from answers a join leases l on l.pid = a.owner_pid and l.started = coalesce(a.owner_started, 0)
    and l.boot = a.owner_boot and l.host = a.owner_host
  where a.state in ('queued', 'running') and l.expires < now();
$$;
revoke execute on function confab.users_of_dead_processes from public;
