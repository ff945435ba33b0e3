-- Text is kept once, so that what is deleted is deleted everywhere. Never edited after a release.

-- A session named by a prompt loses that name with the turn.
alter table sessions add column name_turn integer not null default 0;    -- whose prompt gave the name; 0: a person did
update sessions set name_turn = coalesce((
  select t.id from turns t
  where t.session = sessions.id and instr(
    replace(replace(replace(trim(replace(replace(replace(substr(t.prompt, 1, 400),
      char(9), ' '), char(13), ' '), char(10), ' ')), '  ', ' '), '  ', ' '), '  ', ' '),
    rtrim(replace(sessions.name, ' (fork)', ''), '…')) = 1
  order by t.id limit 1), 0)
where replace(name, ' (fork)', '') <> '';

-- Of the earlier turns that went along with a prompt only the ids are kept.
alter table answers add column sent_turns text not null default '';      -- JSON; empty without earlier turns

create table sent (id integer primary key, turn integer, session integer, in_prompt integer, body text);
insert into sent
  select a.id, a.turn, t.session, a.sent_messages = '',
    case when a.sent_messages = '' then a.sent_prompt else (
      select group_concat(case json_extract(m.value, '$.role') when 'assistant' then '## You' else '## Me' end
        || char(10, 10) || json_extract(m.value, '$.content') || char(10, 10), '' order by m.key)
      from json_each(a.sent_messages) m) end
  from answers a join turns t on t.id = a.turn
  where t.context = 1 and (a.sent_messages <> '' or a.sent_prompt like 'This is our conversation so far.%');

update answers set sent_turns = coalesce((
  select case when count(f.answer) = 0 and s.in_prompt = 0 then '' else json_patch(
    case when count(f.answer) = 0 then '{}'
      else json_object('turns', json_group_array(json_object('turn', f.turn, 'answer', f.answer))) end,
    case when s.in_prompt then '{"in_prompt":true}' else '{}' end) end
  from sent s left join (
    select p.id, p.turn, (
      select b.id from answers b
      where b.turn = p.turn and b.kind = 'text' and b.state = 'done' and b.answer <> '' and instr(p.body,
        '## Me' || char(10, 10) || p.prompt || char(10, 10) || '## You' || char(10, 10) || b.answer || char(10, 10)) > 0
      order by b.id limit 1) as answer
    from (
      select s.id, s.body, t.id as turn, t.prompt,
        sum(length(t.prompt)) over (order by t.id desc) as size
      from sent s join turns t on t.session = s.session and t.id < s.turn
      where s.id = answers.id) p
    where p.size <= length(p.body)
    order by p.turn) f on f.id = s.id and f.answer is not null
  where s.id = answers.id), '')
where id in (select id from sent);

-- An answer that was continued keeps its own question and the text that it continues.
update answers set sent_messages = case
    when sent_messages <> '' and sent_prompt like 'Continue exactly where your last message stops%'
      then json_array(json_extract(sent_messages, '$[#-2]'), json_extract(sent_messages, '$[#-1]'))
    else '' end,
  sent_prompt = case when sent_prompt like 'This is our conversation so far.%' then '' else sent_prompt end
where id in (select id from sent);
update exchanges set body = json_remove(body, '$.request_body') where answer in (select id from sent);
drop table sent;

-- A session without turns goes; purging takes it out of the index as well.
insert into trash (what, ref, session, created, purging)
  select 'session', id, id, 0, 1 from sessions
  where trash = 0 and not exists (select 1 from turns where session = sessions.id);
update sessions set trash = (select id from trash where what = 'session' and ref = sessions.id)
where trash = 0 and id in (select ref from trash where what = 'session' and created = 0 and purging = 1);
