-- What the operator knows of users and keys (package service/accounts), and which process does what only one may do. It
-- holds nothing of what users wrote.
create table confab_data.counts (
  kind text not null,                     -- user or key
  name text not null,
  period text not null,                   -- a day such as 2026-11-23 or a month such as 2026-11, UTC
  answers bigint not null,
  tokens bigint not null,
  bytes bigint not null,
  cost double precision not null,
  primary key (kind, name, period)
);
create table confab_data.accounts (
  name text primary key,                  -- of a user
  member text not null,                   -- the group at the last login; empty for none
  held smallint not null                  -- a legal hold: nothing may be deleted
);
create table confab_data.jobs (
  name text primary key,
  holder text not null,                   -- the process that does it
  expires timestamptz not null
);
create view confab.counts with (security_invoker = true) as select * from confab_data.counts;
create view confab.accounts with (security_invoker = true) as select * from confab_data.accounts;
create view confab.jobs with (security_invoker = true) as select * from confab_data.jobs;
