/* @name deleteOldCredentialChanges */
-- Deletes changes older than any cache entry, revoked sessions whose tokens have all expired, and what has expired of the console;
-- at most :limit rows of each kind. Index: revoked_sessions_expires_at, console_logins_expires_at, administrator_sessions_expires_at;
-- the table of changes is small.
WITH old_changes AS (
  SELECT ctid FROM credential_changes WHERE changed_at < current_ts() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED
), old_sessions AS (
  SELECT ctid FROM revoked_sessions WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED
), old_logins AS (
  SELECT code_hash FROM console_logins WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED
), old_administrators AS (
  SELECT session_id FROM administrator_sessions WHERE expires_at < current_ts() LIMIT :limit!
), removed AS (
  DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1
), ended AS (
  DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1
), unused AS (
  DELETE FROM console_logins l USING old_logins o WHERE l.code_hash = o.code_hash RETURNING 1
), administrators AS (
  DELETE FROM administrator_sessions s USING old_administrators o WHERE s.session_id = o.session_id RETURNING 1
)
SELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended), (SELECT count(*) FROM unused),
  (SELECT count(*) FROM administrators)) AS "deleted!";
