-- Shared by every function that creates live jobs or decides webhook deliveries.
-- All functions of these files run with the caller's rights: row-level security holds inside them. Names carry a version, so that
-- services of the previous release keep calling theirs while a new one is installed.

-- Counter rows are per backend, so that concurrent batches of one tenant do not wait for each other.
CREATE FUNCTION counter_slot() RETURNS smallint
  LANGUAGE sql STABLE
  RETURN (pg_backend_pid() % 16)::smallint;

-- Refuses (SQLSTATE SPQ01, message = JSON of resource, current and limit) when `fresh` more jobs do not fit the plan.
-- Serializes creates of one organization until the transaction ends, so concurrent requests never overshoot; organizations
-- without caps never come here. Callers that touch several organizations go through them in order of id, against deadlocks.
-- Relies on: usage_counters primary key; the partial indexes of job_queue, which together cover every live row.
CREATE FUNCTION check_job_quota_v1(org uuid, quota json, fresh integer, queue_names text[]) RETURNS void
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
    WHERE organization_id = org AND day = (now() AT TIME ZONE 'UTC')::date;
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

-- Queues that count against the cap: configured, used by jobs, or named by an active schedule.
CREATE FUNCTION count_queues_v1(org uuid) RETURNS bigint
  LANGUAGE sql STABLE
AS $$
  SELECT count(*) FROM (
    SELECT queue_name FROM queues WHERE organization_id = org
    UNION SELECT queue_name FROM queue_config WHERE organization_id = org
    UNION SELECT queue_name FROM schedules WHERE organization_id = org AND is_active
  ) AS known
$$;

CREATE FUNCTION count_new_queues_v1(org uuid, queue_names text[]) RETURNS bigint
  LANGUAGE sql STABLE
AS $$
  SELECT count(DISTINCT name) FROM unnest(queue_names) AS name
  WHERE NOT EXISTS (SELECT FROM queues WHERE organization_id = org AND queue_name = name)
    AND NOT EXISTS (SELECT FROM queue_config WHERE organization_id = org AND queue_name = name)
    AND NOT EXISTS (SELECT FROM schedules WHERE organization_id = org AND is_active AND queue_name = name)
$$;

-- Writes one delivery for each subscribed webhook and each job; `documents` are the events' data, json because callers' results
-- may hold what jsonb refuses (\u0000). Returns [{id, org}] for the hand-over after commit.
-- Part of the transaction that changed the job, so no crash can lose a delivery that was decided.
CREATE FUNCTION decide_deliveries_v1(org uuid, event_name text, job_ids uuid[], documents json[]) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  decided jsonb;
BEGIN
  WITH written AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, job_id, event, payload)
    SELECT org, w.id, happened.job_id, event_name, happened.document
    FROM unnest(job_ids, documents) AS happened(job_id, document)
    CROSS JOIN outgoing_webhooks w
    WHERE w.organization_id = org AND w.enabled AND event_name = ANY (w.events)
    RETURNING id
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'org', org)), '[]') INTO decided FROM written;
  RETURN decided;
END
$$;

-- Whether any webhook of the organization wants this event; asked before the items are built.
CREATE FUNCTION has_subscribers_v1(org uuid, event_name text) RETURNS boolean
  LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (SELECT FROM outgoing_webhooks WHERE organization_id = org AND enabled AND event_name = ANY (events))
$$;
