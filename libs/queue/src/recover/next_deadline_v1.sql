-- The next moment at which the scheduler has to act, over all tenants: a waiting job is due, or a lease ends. Null when nothing waits.
--
-- Relies on: job_queue_due, job_queue_lease (one probe each)
--
-- Since PostgreSQL 18 a session keeps the plans of SQL functions. Made while few jobs waited, such a plan joined without an index, and
-- at 20,000 due jobs a round of 1,000 took 9 s instead of 0.05 s. Hence the planner settings of all functions of this folder: they
-- pick a few rows by index and then touch them by key.
CREATE OR REPLACE FUNCTION next_deadline_v1() RETURNS timestamptz
  LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  SELECT least(
    (SELECT min(due_at) FROM job_queue WHERE state IN ('scheduled', 'retrying')),
    (SELECT min(lease_expires_at) FROM job_queue WHERE state = 'leased'))
$$;
