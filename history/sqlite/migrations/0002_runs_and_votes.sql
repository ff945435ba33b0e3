-- Runs of suites, the cells of a run, and votes. Never edited after a release.
--
-- They go with what they are about: a cell with its turn or answer, a run with
-- its session or its last cell, a vote with either of its answers.

create table runs (
  id integer primary key autoincrement,
  session integer not null references sessions(id) on delete cascade,
  started integer not null,
  ended integer,                           -- null while it is not whole
  planned integer not null,                -- how many cells the suite has
  sha256 text not null,                    -- of the suite's file
  suite text not null,
  path text not null,
  note text not null
) strict;
create index runs_by_path on runs(path, id);
create index runs_by_session on runs(session);

create table cells (
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
) strict;
create unique index cells_by_key on cells(run, key);
create index cells_by_run on cells(run); -- in the order of their ids
create index cells_by_turn on cells(turn);
create index cells_by_answer on cells(answer);

create trigger cells_last after delete on cells
when not exists (select 1 from cells where run = old.run)
begin
  delete from runs where id = old.run;
end;

create table votes (
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
create index votes_by_turn on votes(turn);
create index votes_by_answer on votes(answer_a);
create index votes_by_other on votes(answer_b);
