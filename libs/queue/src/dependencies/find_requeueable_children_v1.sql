-- Children, and theirs in turn, that the end of the given jobs cancelled and that may complete once these run again. A child with
-- another parent that failed stays cancelled; it comes back with that one, or never if that one was deleted.
--
-- Input:
--   org
--   requeued
-- Output: the given jobs and these children
CREATE OR REPLACE FUNCTION find_requeueable_children_v1(org uuid, requeued uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql STABLE SET enable_seqscan = off
AS $$
DECLARE
  all_requeued uuid[] := requeued;
  level uuid[] := requeued;
BEGIN
  WHILE cardinality(level) > 0 LOOP
    level := ARRAY(
      SELECT DISTINCT c.id FROM job_dependencies e JOIN jobs c ON c.id = e.job_id
      WHERE e.organization_id = org AND e.depends_on_job_id = ANY (level) AND c.outcome = 'cancelled'
        AND NOT c.id = ANY (all_requeued)
        -- As in job_records.
        AND NOT EXISTS (
          SELECT FROM queue_deletions x WHERE x.organization_id = org AND x.queue_name = c.queue_name AND c.created_at <= x.deleted_until)
        AND EXISTS (SELECT FROM job_dependencies d WHERE d.job_id = c.id AND d.cancelled_child)
        AND (c.dependency_mode = 'any' OR NOT EXISTS (
          SELECT FROM job_dependencies d LEFT JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id
            AND CASE WHEN p.id IS NULL THEN d.cancelled_child ELSE p.outcome <> 'completed' AND NOT p.id = ANY (all_requeued) END
        )));
    all_requeued := all_requeued || level;
  END LOOP;
  RETURN all_requeued;
END
$$;
