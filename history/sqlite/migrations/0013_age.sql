-- Looking for what is older than history.keep reads old turns alone. Never edited after a release.

create index turns_by_age on turns(created, session) where trash = 0;
