-- Refuses new jobs that do not fit the plan. Serializes creates of one organization until the transaction ends, so that concurrent
-- requests never overshoot; organizations without caps never come here. Callers that touch several organizations go through them in
-- order of id, against deadlocks.
--
-- Input:
--   org
--   quota        {maxJobsPerDay?, maxActiveJobs?, maxQueues?}; an absent or null cap does not hold
--   fresh        how many jobs are about to be created
--   queue_names  the queues that they go to
-- Raises: SPQ01, whose message is JSON: {resource, current, limit}
-- Relies on: usage_counters primary key; the partial indexes of job_queue, which together cover every live row
CREATE OR REPLACE FUNCTION check_job_quota_v1(org uuid, quota json, fresh integer, queue_names text[]) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  max_today bigint := (quota ->> 'maxJobsPerDay')::bigint;
  max_active bigint := (quota ->> 'maxActiveJobs')::bigint;
  max_queues bigint := (quota ->> 'maxQueues')::bigint;
  found bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));
  IF max_today IS NOT NULL THEN
    SELECT coalesce(sum(jobs_created), 0) INTO found FROM usage_counters
    WHERE organization_id = org AND day = (current_ts() AT TIME ZONE 'UTC')::date;
    IF found + fresh > max_today THEN
      RAISE EXCEPTION USING ERRCODE = 'SPQ01',
        MESSAGE = json_build_object('resource', 'jobs_per_day', 'current', found, 'limit', max_today)::text;
    END IF;
  END IF;
  IF max_active IS NOT NULL THEN
    SELECT
      (SELECT count(*) FROM job_queue WHERE organization_id = org AND state = 'ready' AND dependencies_met)
      + (SELECT count(*) FROM job_queue WHERE organization_id = org AND state IN ('scheduled', 'retrying') AND dependencies_met)
      + (SELECT count(*) FROM job_queue WHERE organization_id = org AND state = 'leased' AND dependencies_met)
      + (SELECT count(*) FROM job_queue WHERE organization_id = org AND NOT dependencies_met)
    INTO found;
    IF found + fresh > max_active THEN
      RAISE EXCEPTION USING ERRCODE = 'SPQ01',
        MESSAGE = json_build_object('resource', 'active_jobs', 'current', found, 'limit', max_active)::text;
    END IF;
  END IF;
  IF max_queues IS NOT NULL THEN
    found := count_new_queues_v1(org, queue_names);
    IF found > 0 AND count_queues_v1(org) + found > max_queues THEN
      RAISE EXCEPTION USING ERRCODE = 'SPQ01',
        MESSAGE = json_build_object('resource', 'queues', 'current', count_queues_v1(org), 'limit', max_queues)::text;
    END IF;
  END IF;
END
$$;
