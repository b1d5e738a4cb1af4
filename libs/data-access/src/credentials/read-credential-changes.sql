/* @name readCredentialChanges */
-- Credential changes since the reader's last poll, and the position of this poll. Returns at least one row; its change is null
-- when there is none. Changes are selected by transaction id, not by serial or time, which would miss a transaction that commits
-- late; so a change may be returned again while an older transaction is open.
-- :position of the last poll, null = all retained changes. Index: credential_changes_xid.
SELECT
  poll.position AS "position!",
  poll.read_at AS "read_at!",
  c.organization_id AS "organization_id?",
  c.kind AS "kind?",
  c.subject AS "subject?",
  c.changed_xid AS "xid?",
  extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at
FROM (
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM current_ts())::float8 * 1000 AS read_at
) AS poll
LEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)
ORDER BY c.changed_xid;
