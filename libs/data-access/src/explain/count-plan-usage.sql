/* @name countPlanUsage */
-- Jobs that the organization created today (UTC) and has alive; of the latter each state is counted up to :most.
-- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.
SELECT
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
    WHERE organization_id = :organizationId! AND day = (now() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
  (SELECT count(*) FROM (
    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met LIMIT :most!)
    UNION ALL
    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') LIMIT :most!)
    UNION ALL
    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' LIMIT :most!)
    UNION ALL
    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met AND state = 'ready' LIMIT :most!)
  ) AS counted) AS "active_jobs!",
  (((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS "tomorrow!";
