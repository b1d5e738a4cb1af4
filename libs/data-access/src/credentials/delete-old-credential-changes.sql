/* @name deleteOldCredentialChanges */
-- Deletes changes older than any cache entry, and revoked sessions whose tokens have all expired; at most
-- :limit rows of each kind. Index: revoked_sessions_expires_at; the table of changes is small.
WITH old_changes AS (
  SELECT ctid FROM credential_changes WHERE changed_at < now() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED
), old_sessions AS (
  SELECT ctid FROM revoked_sessions WHERE expires_at < now() LIMIT :limit! FOR UPDATE SKIP LOCKED
), removed AS (
  DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1
), ended AS (
  DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1
)
SELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended)) AS "deleted!";
