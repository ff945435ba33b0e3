create table conversations (id text primary key, name text, model text);
create table responses (id text primary key, model text, prompt text, system text, prompt_json text, options_json text,
  response text, response_json text, conversation_id text references conversations(id), duration_ms integer,
  datetime_utc text, input_tokens integer, output_tokens integer, token_details text, schema_id text, resolved_model text);
create table attachments (id text primary key, type text, path text, url text, content blob);
create table prompt_attachments (response_id text, attachment_id text, "order" integer,
  primary key (response_id, attachment_id));
create table fragments (id integer primary key, hash text, content text, datetime_utc text, source text);
create table prompt_fragments (response_id text, fragment_id integer, "order" integer,
  primary key (response_id, fragment_id, "order"));
create table tool_calls (id integer primary key, response_id text, tool_id integer, name text, arguments text,
  tool_call_id text);
insert into conversations values ('01a', 'Knots', 'elsewhere-mini');
insert into responses (id, model, prompt, system, response, conversation_id, duration_ms, datetime_utc, input_tokens,
  output_tokens) values
  ('01b', 'elsewhere-mini', 'Which knot is this?', 'Be kind.', 'A bowline.', '01a', 1500, '2024-02-03T04:05:06.789012', 12, 3),
  ('01c', 'elsewhere-mini', '', null, 'It holds.', '01a', 500, '2024-02-03T04:06:06', 4, 2),
  ('01d', 'elsewhere-mini', 'Alone', null, 'Yes.', null, null, '2024-02-03T05:06:06', null, null);
insert into attachments values ('f1', 'image/png', null, null, x'PICTURE'), ('f2', 'image/png', '/etc/passwd', null, null);
insert into prompt_attachments values ('01b', 'f1', 0), ('01b', 'f2', 1);
insert into fragments values (1, 'h', 'A rope has two ends.', '2024-02-03', 'rope.txt');
insert into prompt_fragments values ('01b', 1, 0);
insert into tool_calls values (1, '01c', 1, 'pull', '{}', 'x');

create table messages (hash text primary key, parent_hash text, role text, provider_metadata text);
create table parts (id integer primary key, message_hash text, position integer, type text, tool_name text, text text,
  payload text);
create table part_attachments (part_id integer, attachment_id text, "order" integer, primary key (part_id, attachment_id));
create table threads (id text primary key, name text, tip_message_hash text, forked_from text, datetime_utc text);
create table turns (id text primary key, thread_id text, parent_message_hash text, tip_message_hash text, model text,
  resolved_model text, options_json text, schema_id text, input_tokens integer, output_tokens integer, token_details text,
  duration_ms integer, datetime_utc text);
insert into messages values ('b2:0', null, 'system', null), ('b2:1', 'b2:0', 'user', null),
  ('b2:2', 'b2:1', 'assistant', null), ('b2:3', 'b2:2', 'user', null), ('b2:4', 'b2:3', 'assistant', null);
insert into parts (message_hash, position, type, text, payload) values ('b2:0', 0, 'text', 'Be exact.', null),
  ('b2:1', 0, 'text', null, '{"text_ref": [{"fragment": 1}, {"literal": "\nIs it so?"}]}'),
  ('b2:2', 0, 'reasoning', 'Count them.', null), ('b2:2', 1, 'text', '{"not": "parsed"}', null),
  ('b2:3', 0, 'text', 'And a ring?', null), ('b2:3', 1, 'attachment', null, '{"attachment_id": "f1"}'),
  ('b2:4', 0, 'tool_call', null, '{}'), ('b2:4', 1, 'text', 'None.', null);
insert into part_attachments select id, 'f1', 0 from parts where type = 'attachment';
insert into threads values ('01t', 'Ends', 'b2:4', null, '2026-08-01T00:00:00');
insert into turns (id, thread_id, parent_message_hash, tip_message_hash, model, input_tokens, output_tokens, duration_ms,
  datetime_utc) values ('01u', '01t', 'b2:1', 'b2:2', 'elsewhere-2', 7, 8, 900, '2026-08-01T00:00:01'),
  ('01v', '01t', 'b2:3', 'b2:4', 'elsewhere-2', 9, 1, 800, '2026-08-01T00:01:01');
