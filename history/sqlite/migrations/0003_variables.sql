-- What a prompt was filled in from, and where a cell stands in the table of its
-- run. Never edited after a release.

alter table turns add column vars text not null default '';             -- JSON, name to value; empty without variables
alter table turns add column template text not null default '';         -- the prompt before the values were filled in
alter table turns add column system_template text not null default '';

alter table cells add column table_row integer not null default 0;      -- from 1; 0 where it was not kept
alter table cells add column table_column integer not null default 0;
