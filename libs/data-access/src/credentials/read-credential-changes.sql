/* @name readCredentialChanges */
-- What has changed about credentials since a reader's last look, and how far this look reaches. Always one row at least; its change is
-- null when there is none. A row is repeated while a transaction that was open at the reader's last look may still be: by
-- serials or times, a change that commits late would be missed.
-- :position of the last look, null = everything that is kept. Index: credential_changes_xid.
SELECT
  look.position AS "position!",
  look.read_at AS "read_at!",
  c.organization_id AS "organization_id?",
  c.kind AS "kind?",
  c.subject AS "subject?",
  c.changed_xid AS "xid?",
  extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at
FROM (
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM now())::float8 * 1000 AS read_at
) AS look
LEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)
ORDER BY c.changed_xid;
