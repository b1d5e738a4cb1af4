/* @name readPrimaryPosition */
-- How far the log of the primary is on disk, in bytes from its start. Every transaction that was reported as committed is within it.
SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS "position!";

/* @name readReplicaState */
-- How far a standby has replayed the log, null on any other server (where the position of an earlier recovery remains), and whether its role is hidden from row-level security.
SELECT
  CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text END AS "replayed?",
  (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS "bypasses_policies!";
