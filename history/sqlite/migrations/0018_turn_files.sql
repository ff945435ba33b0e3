-- Files that go with prompts. Never edited after a release.

create table turn_files (
  id integer primary key autoincrement,
  turn integer not null references turns(id) on delete cascade,
  position integer not null,
  name text not null,
  kind text not null,                      -- text or picture
  bytes integer not null,
  sha256 text not null,
  path text not null,                      -- of a picture's copy; empty for a text
  body text not null
) strict;
create index turn_files_by_turn on turn_files(turn, position);
create index turn_files_by_path on turn_files(path) where path <> '';
