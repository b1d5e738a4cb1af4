-- Of ended jobs those that may complete if they all run again. The others were cancelled because of a parent that does not run again, or
-- whose record is gone: that it had failed shows in the edge.
--
-- Input:
--   ended
-- Output: in any order
CREATE OR REPLACE FUNCTION find_runnable_jobs_v1(ended uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql STABLE SET enable_seqscan = off
AS $$
DECLARE
  runnable uuid[] := ended;
  stuck uuid[];
BEGIN
  LOOP
    stuck := ARRAY(
      SELECT c.id FROM jobs c
      WHERE c.id = ANY (runnable) AND c.outcome = 'cancelled'
        AND EXISTS (SELECT FROM job_dependencies d WHERE d.job_id = c.id AND d.cancelled_child)
        AND CASE WHEN c.dependency_mode = 'any' THEN NOT EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id AND (p.outcome IS NULL OR p.outcome = 'completed' OR p.id = ANY (runnable))
        ) ELSE EXISTS (
          SELECT FROM job_dependencies d LEFT JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id
            AND CASE WHEN p.id IS NULL THEN d.cancelled_child ELSE p.outcome <> 'completed' AND NOT p.id = ANY (runnable) END
        ) END);
    EXIT WHEN cardinality(stuck) = 0;
    runnable := ARRAY(SELECT id FROM unnest(runnable) AS id WHERE NOT id = ANY (stuck));
  END LOOP;
  RETURN runnable;
END
$$;
