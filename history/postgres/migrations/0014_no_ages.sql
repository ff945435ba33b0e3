-- Nothing looks for old turns any more. Never edited after a release.

drop index confab_data.turns_by_age;
