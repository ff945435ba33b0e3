-- The first schema. Never edited after a release: the next change is a file of its own.
--
-- Times are UTC milliseconds, null where there is none; durations are nanoseconds.
-- Ids are never used twice, and order is by id or by "touched", never by a time:
-- a clock may go back. "trash" is 0, or the row of trash that hides this one.
-- Long texts stand last in a row, so that reading the rest does not read them.

pragma application_id = 1668247142; -- "conf"

create table sessions (
  id integer primary key autoincrement,
  created integer not null,
  updated integer not null,
  touched integer not null,                -- grows with every use of any session
  turns integer not null default 0,        -- counts of what is not hidden
  answers integer not null default 0,
  pictures integer not null default 0,
  forked_from integer not null default 0,
  trash integer not null default 0,
  name text not null
) strict;
create index sessions_by_use on sessions(trash, touched);
create index sessions_by_name on sessions(name);

create table turns (
  id integer primary key autoincrement,
  session integer not null references sessions(id),
  created integer not null,
  trash integer not null default 0,
  samples integer not null,
  context integer not null,
  aspect text not null,
  nonce_mode text not null,
  nonce_value text not null,
  source integer not null,                 -- whether the three that follow mean something
  source_answer integer not null,
  source_path text not null,
  source_url text not null,
  facts text not null,                     -- what the search index holds beside the words
  prompt text not null,
  system text not null
) strict;
create index turns_by_session on turns(session, id);
create index turns_by_trash on turns(trash) where trash <> 0;
create index turns_by_source on turns(source_path) where source_path <> '';

create table answers (
  id integer primary key autoincrement,
  turn integer not null references turns(id),
  version integer not null,
  trash integer not null default 0,
  later integer not null,                  -- a sample added after the turn was sent
  copied integer not null,                 -- came with a fork: not counted in the statistics
  sample integer not null,
  model text not null,
  kind text not null,
  state text not null,
  served_model text not null,
  failure_code text not null,
  failure_message text not null,
  http_status integer not null,
  cached integer not null,
  masked integer not null,
  sha256 text not null,
  queued integer,
  started integer,
  ended integer,
  elapsed integer not null,
  rating integer not null,
  winner integer not null,
  owner_pid integer,                       -- who will end it; null once it has ended
  owner_started integer,
  owner_boot text,
  owner_host text,
  picture_path text,                       -- null without a picture
  picture_type text,
  picture_width integer,
  picture_height integer,
  picture_bytes integer,
  picture_sha256 text,
  picture_parent integer,
  picture_too_large integer,
  sent_nonce text not null,
  source_url text not null,
  note text not null,
  sent_prompt text not null,
  answer text not null
) strict;
create index answers_by_turn on answers(turn, id);
create index answers_by_model on answers(model, id);
create index answers_by_speed on answers(model, state, cached, id, elapsed) where copied = 0;
create index answers_running on answers(id) where state in ('queued', 'running');
create index answers_not_done on answers(state, id) where state <> 'done';
create index answers_not_text on answers(kind, id) where kind <> 'text';
create index answers_rated on answers(rating, id) where rating <> 0;
create index answers_by_picture on answers(picture_path) where picture_path is not null;
create index answers_with_picture on answers(id) where picture_path is not null;
create index answers_by_trash on answers(trash) where trash <> 0;

create table exchanges (
  answer integer primary key references answers(id),
  body text not null
) strict;

create table models (
  name text primary key,
  answers integer not null default 0,      -- ended done or failed
  failures integer not null default 0
) strict, without rowid;

create table trash (
  id integer primary key autoincrement,
  what text not null,                      -- session, turn or answer
  ref integer not null,
  session integer not null,
  created integer not null,
  purging integer not null default 0       -- partly gone already: cannot be undone
) strict;

create table personas (
  id integer primary key autoincrement,
  updated integer not null,
  name text not null,
  body text not null
) strict;

create table settings (
  name text primary key,
  value text not null
) strict, without rowid;

-- The full-text index lies on shelves: one FTS5 table for every 32768 rows of a
-- kind, made when its first row is written (see shelf.go). This lists them.
create table shelves (
  kind text not null,                      -- session, turn or answer
  number integer not null,
  primary key (kind, number)
) strict, without rowid;
