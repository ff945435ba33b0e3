set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off;

create temp table template as select row_number() over (order by t.id) - 1 as n, t.id as turn, a.id as answer
from confab_data.turns t join confab_data.answers a on a.owner = t.owner and a.turn = t.id where t.owner = 'template';

create temp table plan as
select 10000001 + n::bigint * $every as id, n % $templates as n, 'anna'::text as owner, 1000000 + n / 40 as session
from generate_series(0, $answers / $every - 1) n
union all
select 10000002 + n::bigint + n / ($every - 1), (n / $users) % $templates, 'user-' || n % $users, 2000000 + (n % $users) * 50000 + n / $users / 40
from generate_series(0, $answers - $answers / $every - 1) n;

create temp table scopes as select owner, substr(translate(encode(substring(sha256(convert_to(owner, 'UTF8'))
from 1 for 3), 'base64'), '+/', '-_'), 1, 4) as scope from (select distinct owner from plan union select 'template') o;

create temp table word_index as select indexdef from pg_indexes where schemaname = 'confab_data' and indexname like 'words_of_%';

drop index confab_data.words_of_answers, confab_data.words_of_turns, confab_data.words_of_sessions;

do $do$ declare columns text; begin
  select string_agg(quote_ident(column_name), ', ') into columns from information_schema.columns
    where table_schema = 'confab_data' and table_name = 'turns' and column_name not in ('owner', 'id', 'session');
  execute 'insert into confab_data.turns (owner, id, session, ' || columns || ') select p.owner, p.id, p.session, '
    || 't.' || replace(columns, ', ', ', t.') || ' from plan p join template x on x.n = p.n join confab_data.turns t on t.owner = ''template''
    and t.id = x.turn order by p.id';
  select string_agg(quote_ident(column_name), ', ') into columns from information_schema.columns
    where table_schema = 'confab_data' and table_name = 'answers' and column_name not in ('owner', 'id', 'turn');
  execute 'insert into confab_data.answers (owner, id, turn, ' || columns || ') select p.owner, p.id, p.id, '
    || 'a.' || replace(columns, ', ', ', a.') || ' from plan p join template x on x.n = p.n join confab_data.answers a on a.owner = ''template''
    and a.id = x.answer order by p.id';
end $do$;

insert into confab_data.words (owner, kind, id, words)
select p.owner, w.kind, p.id, replace(w.words::text, '''' || t.scope, '''' || s.scope)::tsvector
from plan p join template x on x.n = p.n join scopes s on s.owner = p.owner
join scopes t on t.owner = 'template'
join confab_data.words w on w.owner = 'template' and (w.kind, w.id) in (('turn', x.turn), ('answer', x.answer))
order by p.id, w.kind desc;

insert into confab_data.sessions (owner, id, created, updated, touched, turns, answers, name)
select owner, session, extract(epoch from now()) * 1000, extract(epoch from now()) * 1000, row_number() over (order by session), count(*), count(*), 'Session ' || session
from plan group by owner, session;

insert into confab_data.words (owner, kind, id, words)
select owner, 'session', session, ('''' || scope || 'session'':1 ''' || scope || session || ''':2')::tsvector
from (select distinct p.owner, session, scope from plan p join scopes s on s.owner = p.owner) n;

insert into confab_data.models (owner, name, answers, failures)
select owner, 'model-' || n, 100, 0 from (select distinct owner from plan) o, generate_series(0, 14) n;

select setval(pg_get_serial_sequence('confab_data.' || t, 'id'), 50000000) from unnest(array['turns', 'answers', 'sessions']) t;

do $do$ declare i record; begin
  for i in select * from word_index loop execute i.indexdef; end loop;
end $do$;

vacuum analyze
