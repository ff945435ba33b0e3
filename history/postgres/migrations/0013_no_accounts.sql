-- Groups, counts by day and month, legal holds and disabled users of confab ssh and keys of confab serve are no more. How
-- many answers a user has asked for in a day is among the settings. Never edited after a release.

drop view if exists confab.counts, confab.accounts, confab.jobs, confab.disabled_users;
drop table if exists confab_data.counts, confab_data.accounts, confab_data.jobs, confab_data.disabled_users;
