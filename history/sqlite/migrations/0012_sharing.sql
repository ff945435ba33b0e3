-- What is shared with a team, which only a database of several users has. Never edited after a release.

alter table sessions add column shared integer not null default 0;
alter table runs add column shared integer not null default 0;
