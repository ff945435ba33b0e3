-- What the next turn of a session is sent with. Never edited after a release.

alter table sessions add column setup text not null default ''; -- JSON; empty: as the newest turn
