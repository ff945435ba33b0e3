-- Looking for what is older than history.keep reads old turns alone. Never edited after a release.
create index turns_by_age on confab_data.turns (owner, created, session) where trash = 0;

-- A vote is blind as long as its voter was not shown what others think of the two answers. One sees the votes of others
-- on a pair after voting on it, so a further vote on a pair that others have voted on is not blind, also where the
-- earlier one was taken back.

-- Pairs of answers, the lesser id first, on which a user took a vote back that others had voted on as well. They go
-- with either of the answers, as votes do.
create table confab_data.shown_pairs (
  owner text not null default current_setting('confab.owner'),
  answers_owner text not null,
  one bigint not null,
  other bigint not null,
  primary key (answers_owner, one, other, owner),
  foreign key (answers_owner, one) references confab_data.answers (owner, id) on delete cascade,
  foreign key (answers_owner, other) references confab_data.answers (owner, id) on delete cascade
);
create index shown_pairs_by_other on confab_data.shown_pairs (answers_owner, other);
select confab_data.publish('shown_pairs');

-- Whether there is a vote of a user, or of others, on the pair of answers of a vote. It sees all rows.
create function confab_data.has_vote(v confab_data.votes, of_others boolean) returns boolean
language sql stable security definer set search_path = confab_data, pg_temp as $$
  select exists (select from votes o where (o.owner <> v.owner) = of_others and o.answers_owner = v.answers_owner
    and o.answer_a in (v.answer_a, v.answer_b) and o.answer_b in (v.answer_a, v.answer_b));
$$;

create function confab_data.see_whether_blind() returns trigger
language plpgsql security definer set search_path = confab_data, pg_temp as $$
begin
  if has_vote(new, false) and has_vote(new, true) or exists (select from shown_pairs s where s.owner = new.owner
      and s.answers_owner = new.answers_owner and s.one = least(new.answer_a, new.answer_b)
      and s.other = greatest(new.answer_a, new.answer_b)) then
    new.blind := 0;
  end if;
  return new;
end $$;
create trigger votes_blind before insert on confab_data.votes
  for each row execute function confab_data.see_whether_blind();

-- A vote that goes with its answers leaves nothing behind: they are gone, or locked by what deletes them.
create function confab_data.note_shown_pair() returns trigger
language plpgsql security definer set search_path = confab_data, pg_temp as $$
begin
  perform from answers where owner = old.answers_owner and id = old.answer_a for key share skip locked;
  if found then
    perform from answers where owner = old.answers_owner and id = old.answer_b for key share skip locked;
  end if;
  if found and has_vote(old, true) then
    insert into shown_pairs values (old.owner, old.answers_owner, least(old.answer_a, old.answer_b),
      greatest(old.answer_a, old.answer_b)) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger votes_taken_back after delete on confab_data.votes
  for each row execute function confab_data.note_shown_pair();

-- How many votes of the user are on answers of others, and how many of others on answers of the user.
create function confab.votes_between_users() returns bigint[]
language sql stable security definer set search_path = confab_data, pg_temp as $$
  select array[count(*) filter (where owner = me), count(*) filter (where owner <> me)]
  from votes, current_setting('confab.owner') as me where (owner = me) <> (answers_owner = me);
$$;
revoke execute on function confab.votes_between_users from public;
