-- Nothing looks for old turns any more. Never edited after a release.

drop index turns_by_age;
