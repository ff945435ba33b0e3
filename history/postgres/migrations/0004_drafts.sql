-- What users wrote and did not send yet, so that another host shows it after theirs has died.
create table confab_data.drafts (
  owner text not null default current_setting('confab.owner'),
  name text not null,
  saved timestamptz not null,
  pid bigint,                             -- the process that writes it; null once it let go of it
  started bigint,
  boot text,
  host text,
  text text not null,
  primary key (owner, name)
);
select confab_data.publish('drafts');
