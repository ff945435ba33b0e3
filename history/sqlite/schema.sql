-- Written by go test ./history/sqlite -run SchemaOfNewStores -update
pragma application_id = 1668247142;
CREATE TABLE sessions (
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
, shared integer not null default 0, name_turn integer not null default 0, setup text not null default '') strict;
CREATE TABLE turns (
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
, vars text not null default '', template text not null default '', system_template text not null default '', params text not null default '', parent integer not null default 0, off_path integer not null default 0, origin text not null default '') strict;
CREATE TABLE answers (
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
, engine text not null default '', engine_model text not null default '', service_note text not null default '', first_token integer not null default 0, reasoning text not null default '', finish text not null default '', input_tokens integer not null default 0, output_tokens integer not null default 0, reasoning_tokens integer not null default 0, cost real not null default 0, currency text not null default '', thinking integer not null default 0, sent_messages text not null default '', ignored text not null default '', omitted_turns integer not null default 0, sent_turns text not null default '', queue_wait integer not null default 0) strict;
CREATE TABLE exchanges (
  answer integer primary key references answers(id),
  body text not null
) strict;
CREATE TABLE models (
  name text primary key,
  answers integer not null default 0,      -- ended done or failed
  failures integer not null default 0
) strict, without rowid;
CREATE TABLE trash (
  id integer primary key autoincrement,
  what text not null,                      -- session, turn or answer
  ref integer not null,
  session integer not null,
  created integer not null,
  purging integer not null default 0       -- partly gone already: cannot be undone
, owner_pid integer, owner_started integer, owner_boot text, owner_host text) strict;
CREATE TABLE personas (
  id integer primary key autoincrement,
  updated integer not null,
  name text not null,
  body text not null
, params text not null default '', models text not null default '') strict;
CREATE TABLE settings (
  name text primary key,
  value text not null
) strict, without rowid;
CREATE TABLE shelves (
  kind text not null,                      -- session, turn or answer
  number integer not null,
  primary key (kind, number)
) strict, without rowid;
CREATE TABLE runs (
  id integer primary key autoincrement,
  session integer not null references sessions(id) on delete cascade,
  started integer not null,
  ended integer,                           -- null while it is not whole
  planned integer not null,                -- how many cells the suite has
  sha256 text not null,                    -- of the suite's file
  suite text not null,
  path text not null,
  note text not null
, how text not null default '', shared integer not null default 0) strict;
CREATE TABLE cells (
  id integer primary key autoincrement,
  run integer not null references runs(id) on delete cascade,
  turn integer not null references turns(id) on delete cascade,
  answer integer not null references answers(id) on delete cascade, -- the newest one asked for
  number integer not null,                 -- place in the suite, from 1
  test integer not null,
  repeat integer not null,
  key text not null,                       -- sha256 of what is sent
  provider text not null,
  prompt text not null,                    -- its id or label
  vars text not null,
  checks text                              -- results; null until they are judged
, table_row integer not null default 0, table_column integer not null default 0, description text not null default '', earlier_checks text not null default 'null') strict;
CREATE TABLE votes (
  id integer primary key autoincrement,
  turn integer not null references turns(id) on delete cascade, -- of the first answer
  created integer not null,
  answer_a integer not null references answers(id) on delete cascade,
  answer_b integer not null references answers(id) on delete cascade,
  blind integer not null,
  verdict text not null,                   -- a, b, equal or bad
  model_a text not null,
  model_b text not null
) strict;
CREATE TABLE turn_files (
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
CREATE INDEX sessions_by_use on sessions(trash, touched);
CREATE INDEX sessions_by_name on sessions(name);
CREATE INDEX turns_by_session on turns(session, id);
CREATE INDEX turns_by_trash on turns(trash) where trash <> 0;
CREATE INDEX turns_by_source on turns(source_path) where source_path <> '';
CREATE INDEX answers_by_turn on answers(turn, id);
CREATE INDEX answers_by_model on answers(model, id);
CREATE INDEX answers_running on answers(id) where state in ('queued', 'running');
CREATE INDEX answers_not_done on answers(state, id) where state <> 'done';
CREATE INDEX answers_not_text on answers(kind, id) where kind <> 'text';
CREATE INDEX answers_rated on answers(rating, id) where rating <> 0;
CREATE INDEX answers_by_picture on answers(picture_path) where picture_path is not null;
CREATE INDEX answers_with_picture on answers(id) where picture_path is not null;
CREATE INDEX answers_by_trash on answers(trash) where trash <> 0;
CREATE INDEX runs_by_path on runs(path, id);
CREATE INDEX runs_by_session on runs(session);
CREATE UNIQUE INDEX cells_by_key on cells(run, key);
CREATE INDEX cells_by_run on cells(run);
CREATE INDEX cells_by_turn on cells(turn);
CREATE INDEX cells_by_answer on cells(answer);
CREATE TRIGGER cells_last after delete on cells
when not exists (select 1 from cells where run = old.run)
begin
  delete from runs where id = old.run;
end;
CREATE INDEX votes_by_turn on votes(turn);
CREATE INDEX votes_by_answer on votes(answer_a);
CREATE INDEX votes_by_other on votes(answer_b);
CREATE INDEX answers_by_speed on answers(model, state, cached, id, elapsed, first_token, thinking, output_tokens)
	where copied = 0;
CREATE INDEX turn_files_by_turn on turn_files(turn, position);
CREATE INDEX turn_files_by_path on turn_files(path) where path <> '';
CREATE INDEX turns_off_path on turns(session) where off_path = 1;
CREATE INDEX turns_origin on turns(origin) where origin <> '';
