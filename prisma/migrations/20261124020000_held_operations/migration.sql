-- Until then an operation touches nothing, and its cancellation undoes it; null = it began at once. A scheduler of the previous release
-- waits as well, because the next step of a held operation is due at that time.
ALTER TABLE operations ADD COLUMN starts_at timestamptz;

CREATE OR REPLACE TRIGGER audited_begin AFTER INSERT ON operations
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'operation', 'organization_id', 'id', 'r.kind, r.queues, r.filter - ''job_ids'' AS filter,
    jsonb_array_length(r.filter -> ''job_ids'') AS job_ids, r.settings, r.payload_patch IS NOT NULL AS has_payload_patch, r.total,
    r.starts_at');
