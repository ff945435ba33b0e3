create table sessions (id text primary key, parent_session_id text, title text not null, message_count integer,
  prompt_tokens integer, completion_tokens integer, cost real, updated_at integer not null, created_at integer not null);
create table messages (id text primary key, session_id text not null, role text not null, parts blob not null default '[]',
  model text, created_at integer not null, updated_at integer not null, finished_at integer, provider text);
insert into sessions values ('s-1', null, 'Mend the pump', 4, 1, 1, 0, 1755000100, 1755000000),
  ('s-2', 's-1', 'Task of an agent', 1, 1, 1, 0, 1755000050, 1755000050);
insert into messages (id, session_id, role, parts, model, created_at, updated_at) values
  ('p1', 's-1', 'user', '[{"type":"text","data":{"text":"Why does it leak?"}},{"type":"binary","data":{"Path":"/home/x/pump.png",'
    || '"MIMEType":"image/png","Data":"PICTURE"}},{"type":"finish","data":{"reason":"stop"}}]', '', 1755000001, 1755000001),
  ('p2', 's-1', 'assistant', '[{"type":"reasoning","data":{"thinking":"Seals."}},{"type":"tool_call","data":{"id":"t",'
    || '"name":"view","input":"{}","finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1755000003}}]',
    'elsewhere-coder', 1755000002, 1755000003),
  ('p3', 's-1', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"t","content":"…","data":"","is_error":false}}]', '',
    1755000004, 1755000004),
  ('p4', 's-1', 'assistant', '[{"type":"text","data":{"text":"The seal is worn."}},{"type":"finish","data":'
    || '{"reason":"end_turn","time":1755000009}}]', 'elsewhere-coder', 1755000005, 1755000009),
  ('p5', 's-1', 'user', '[{"type":"text","data":{"text":"Mend it."}}]', '', 1755000010, 1755000010),
  ('p6', 's-1', 'assistant', '[{"type":"finish","data":{"reason":"error","message":"the provider is away"}}]',
    'elsewhere-coder', 1755000011, 1755000011),
  ('p7', 's-2', 'user', '[{"type":"text","data":{"text":"sub"}}]', '', 1755000050, 1755000050);
