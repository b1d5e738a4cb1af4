/* @name countPlanUsage */
-- Jobs that the organization created today (UTC) and has alive, the latter counted up to :most.
-- Ordered as only the indexes of the tenant are, because those that serve all tenants would read the rows of the others.
-- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.
SELECT
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
    WHERE organization_id = :organizationId! AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
  (SELECT count(*) FROM (
    SELECT FROM (
      (SELECT true AS counts FROM job_queue
        WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met ORDER BY queue_name LIMIT :most!)
      UNION ALL
      -- Blocked ones are counted below.
      (SELECT dependencies_met FROM job_queue
        WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') ORDER BY queue_name LIMIT :most!)
      UNION ALL
      (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' ORDER BY queue_name LIMIT :most!)
      UNION ALL
      (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met ORDER BY queue_name LIMIT :most!)
    ) AS alive
    WHERE counts LIMIT :most!
  ) AS counted) AS "active_jobs!",
  (((current_ts() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS "tomorrow!";
