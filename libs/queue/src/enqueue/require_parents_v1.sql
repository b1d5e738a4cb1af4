-- Locks the parents of new jobs and marks those that live.
--
-- Input:
--   org
--   list  the jobs of enqueue_part_v1
-- Raises: SPP01 for a parent that does not exist in this organization and queue, or is being deleted with its queue
CREATE OR REPLACE FUNCTION require_parents_v1(org uuid, list json) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  parents uuid[] := ARRAY(
    SELECT DISTINCT j.parent_job_id FROM json_to_recordset(list) AS j(parent_job_id uuid) WHERE j.parent_job_id IS NOT NULL);
BEGIN
  PERFORM lock_parents_v1(org, parents);
  IF EXISTS (
    SELECT FROM json_to_recordset(list) AS j(queue text, parent_job_id uuid)
    LEFT JOIN jobs p ON p.id = j.parent_job_id AND p.organization_id = org AND p.queue_name = j.queue AND NOT EXISTS (
      SELECT FROM queue_deletions d WHERE d.organization_id = org AND d.queue_name = p.queue_name AND p.created_at <= d.deleted_until)
    WHERE j.parent_job_id IS NOT NULL AND p.id IS NULL
  ) THEN
    RAISE EXCEPTION 'parent not found' USING ERRCODE = 'SPP01';
  END IF;
  UPDATE job_queue q SET has_dependents = true WHERE q.organization_id = org AND q.job_id = ANY (parents);
END
$$;
