-- Text is kept once, so that what is deleted is deleted everywhere. Never edited after a release.

-- A session named by a prompt loses that name with the turn.
alter table confab_data.sessions add column name_turn bigint not null default 0; -- whose prompt gave the name; 0: a person did
update confab_data.sessions s set name_turn = coalesce((
  select t.id from confab_data.turns t
  where t.owner = s.owner and t.session = s.id and starts_with(
    trim(regexp_replace(substr(t.prompt, 1, 400), '\s+', ' ', 'g')), rtrim(replace(s.name, ' (fork)', ''), '…'))
  order by t.id limit 1), 0)
where replace(s.name, ' (fork)', '') <> '';

-- Of the earlier turns that went along with a prompt only the ids are kept.
alter table confab_data.answers add column sent_turns text not null default ''; -- JSON; empty without earlier turns

do $$
declare
  a record;
  body text;
  found_turns jsonb;
  tail text;
begin
  for a in
    select x.owner, x.id, x.turn, t.session, x.sent_messages, x.sent_prompt
    from confab_data.answers x join confab_data.turns t on t.owner = x.owner and t.id = x.turn
    where t.context = 1 and (x.sent_messages <> '' or x.sent_prompt like 'This is our conversation so far.%')
  loop
    body := a.sent_prompt;
    tail := '';
    if a.sent_messages <> '' then
      begin
        select string_agg(case m.value ->> 'role' when 'assistant' then '## You' else '## Me' end
            || E'\n\n' || (m.value ->> 'content') || E'\n\n', '' order by m.at)
          into body from json_array_elements(a.sent_messages::json) with ordinality m (value, at);
      exception when others then
        body := ''; -- a text with characters that JSON in PostgreSQL cannot hold
      end;
      if a.sent_prompt like 'Continue exactly where your last message stops%' then
        -- An answer that was continued keeps its own question and the text that it continues.
        tail := json_build_array(a.sent_messages::json -> -2, a.sent_messages::json -> -1)::text;
      end if;
    end if;
    select jsonb_agg(jsonb_build_object('turn', f.turn, 'answer', f.answer) order by f.turn) into found_turns from (
      select p.turn, (
        select b.id from confab_data.answers b
        where b.owner = a.owner and b.turn = p.turn and b.kind = 'text' and b.state = 'done' and b.answer <> '' and strpos(
          body, E'## Me\n\n' || p.prompt || E'\n\n## You\n\n' || b.answer || E'\n\n') > 0
        order by b.id limit 1) as answer
      from (
        select t.id as turn, t.prompt, sum(length(t.prompt)) over (order by t.id desc) as size
        from confab_data.turns t where t.owner = a.owner and t.session = a.session and t.id < a.turn) p
      where p.size <= length(body)) f
    where f.answer is not null;
    update confab_data.answers set
      sent_turns = case when found_turns is null and a.sent_messages <> '' then '' else (
        case when found_turns is null then '{}'::jsonb else jsonb_build_object('turns', found_turns) end
        || case when a.sent_messages = '' then '{"in_prompt":true}'::jsonb else '{}'::jsonb end)::text end,
      sent_messages = tail,
      sent_prompt = case when a.sent_messages = '' then '' else a.sent_prompt end
    where owner = a.owner and id = a.id;
    update confab_data.exchanges set body = (exchanges.body::jsonb - 'request_body')::text
    where owner = a.owner and answer = a.id;
  end loop;
end $$;

-- A session without turns goes; purging takes it out of the index as well.
insert into confab_data.trash (owner, what, ref, session, created, purging)
  select s.owner, 'session', s.id, s.id, 0, 1 from confab_data.sessions s
  where s.trash = 0 and not exists (select from confab_data.turns t where t.owner = s.owner and t.session = s.id);
update confab_data.sessions s set trash = x.id from confab_data.trash x
where s.trash = 0 and x.owner = s.owner and x.what = 'session' and x.ref = s.id and x.created = 0 and x.purging = 1;

select confab_data.publish(name) from unnest(array['sessions', 'answers']) as name;
