-- Whether a job is another one, or waits for it over any number of others.
--
-- Input:
--   job
--   other
CREATE OR REPLACE FUNCTION waits_for_v1(job uuid, other uuid) RETURNS boolean
  LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  WITH RECURSIVE above(id) AS (
    SELECT job
    UNION
    SELECT d.depends_on_job_id FROM above a JOIN job_dependencies d ON d.job_id = a.id
  )
  SELECT EXISTS (SELECT FROM above WHERE id = other)
$$;
