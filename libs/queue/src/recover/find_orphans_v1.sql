-- Which of these blocked jobs nothing will unblock any more: every parent has completed, or one that was needed has not, or a parent's
-- record vanished an hour ago and no other parent blocks it. The safety net below release_dependents_v1 and cancel_dependents_v1 (SP-51); in a healthy system it
-- finds nothing.
--
-- Input:
--   ids   jobs to look at, of any organization
--   most  rows at most
-- Output: job and one parent of it, in order of the jobs; outcome: null where the parent's record is gone
-- Relies on: the primary keys of job_queue, jobs and job_dependencies
CREATE OR REPLACE FUNCTION find_orphans_v1(ids uuid[], most integer)
  RETURNS TABLE (job_id uuid, organization_id uuid, parent uuid, outcome job_status)
  LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  SELECT q.job_id, q.organization_id, d.depends_on_job_id, p.outcome
  FROM job_queue q
  JOIN jobs c ON c.id = q.job_id
  LEFT JOIN job_dependencies d ON d.job_id = q.job_id
  LEFT JOIN jobs p ON p.id = d.depends_on_job_id
  WHERE q.job_id = ANY (ids) AND NOT q.dependencies_met AND CASE
    WHEN p.id IS NULL THEN q.created_at < current_ts() - interval '1 hour' AND are_dependencies_met_v1(q.job_id, c.dependency_mode)
    WHEN p.outcome IS NULL THEN false
    WHEN p.outcome = 'completed' THEN c.dependency_mode = 'any' OR NOT EXISTS (
      SELECT FROM job_dependencies d2 JOIN jobs p2 ON p2.id = d2.depends_on_job_id
      WHERE d2.job_id = q.job_id AND p2.outcome IS DISTINCT FROM 'completed')
    ELSE c.dependency_mode IS DISTINCT FROM 'any' OR NOT EXISTS (
      SELECT FROM job_dependencies d2 JOIN jobs p2 ON p2.id = d2.depends_on_job_id
      WHERE d2.job_id = q.job_id AND (p2.outcome IS NULL OR p2.outcome = 'completed'))
  END
  ORDER BY q.job_id LIMIT most
$$;
