-- Whether no parent blocks the job. Parents whose record is gone no longer count.
--
-- Input:
--   job
--   mode  'any', or all
CREATE OR REPLACE FUNCTION are_dependencies_met_v1(job uuid, mode text) RETURNS boolean
  LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT CASE WHEN count(*) = 0 THEN true
    WHEN mode = 'any' THEN bool_or(coalesce(p.outcome = 'completed', false))
    ELSE bool_and(coalesce(p.outcome = 'completed', false)) END
  FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id WHERE d.job_id = job
$$;
