-- What the suite says the test of a cell is about. Never edited after a release.

alter table cells add column description text not null default ''; -- of the test; empty when it has none
