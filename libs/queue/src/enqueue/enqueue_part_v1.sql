-- Inserts the jobs of one organization.
--
-- Input:
--   head  {organization, command, guarded, redelivered, keyed, parented, called, quota?, batch?, accepted?}
--     command      number of the command, when there is only one
--     redelivered  the command may have run before: its own rows are left as they are, and jobs that have been deleted since are not
--                  created again. A command that runs at the same moment in another transaction as well fails this one whole, for the
--                  engine to run again; ON CONFLICT for that would cost each job a tenth.
--     keyed        some job has an idempotency key
--     parented     some job has a parent
--     called       some job has settings, and so perhaps its own callback_url
--     quota        as for check_job_quota_v1
--     batch        the batch that they belong to
--     accepted     their receivers were checked before
--   list  [job], apart from the head: each look into a JSON text scans all of it, which was 165 µs for 100 jobs, nine times
--     job  {number, command, id, queue, payload | payload_base64, job_type, priority, max_retries?, timeout_seconds?, scheduled_at?, expires_at?,
--           idempotency_key?, tags?, parent_job_id?, completion_webhook?, completion_webhook_secret?, traceparent?,
--           created_by?, settings?}
--       number          place in the whole batch
--       command         number of its command, of which all jobs are created or none
--       payload_base64  one that holds \u0000, over which the JSON functions cannot read
--   server_max_retries, server_timeout  as for enqueue_jobs_v1
-- Output: {refused: [refusal], hits: [{number, id}], linked, deliveries: [{id, organization}]}
--   refused  as from refused_receivers_v1: nothing of these commands is created
--   linked   as from link_children_v1; null if no job has a parent
-- Raises: SPQ01 (check_job_quota_v1), SPP01 (require_parents_v1)
CREATE OR REPLACE FUNCTION enqueue_part_v1(head json, list json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off SET enable_seqscan = off
AS $$
DECLARE
  org uuid := (head ->> 'organization')::uuid;
  batch uuid := (head ->> 'batch')::uuid;
  skip integer[] := '{}';
  children json;
  refused jsonb := '[]';
  hits jsonb := '[]';
  linked jsonb;
  deliveries jsonb := '[]';
BEGIN
  PERFORM set_config('app.current_org_id', org::text, true);
  IF head -> 'quota' IS NOT NULL THEN
    -- Before the keys: a second request with the same key waits here rather than holding a key row while it waits.
    PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));
  END IF;

  IF (head ->> 'redelivered')::boolean THEN
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(list) AS j(number integer, id uuid)
    ), created AS (
      SELECT i.number FROM input i JOIN jobs r ON r.id = i.id
      UNION ALL
      SELECT i.number FROM input i JOIN deleted_jobs d ON d.organization_id = org AND d.job_id = i.id
    )
    SELECT coalesce(array_agg(number), '{}') INTO skip FROM created;
  END IF;

  IF (head ->> 'called')::boolean OR head -> 'accepted' IS NULL AND EXISTS (
    SELECT FROM queue_config c WHERE c.organization_id = org AND c.settings -> 'push' = 'true'
  ) THEN
    refused := refused_receivers_v1(org, list, skip);
    IF refused <> '[]' THEN
      list := (
        SELECT coalesce(json_agg(job), '[]') FROM json_array_elements(list) AS job
        WHERE NOT (job -> 'command')::jsonb IN (SELECT refusal -> 'command' FROM jsonb_array_elements(refused) AS refusal));
    END IF;
  END IF;

  IF (head ->> 'keyed')::boolean THEN
    -- Keys of jobs that are being deleted with their queue are free.
    IF EXISTS (SELECT FROM queue_deletions d WHERE d.organization_id = org) THEN
      DELETE FROM idempotency_keys k USING jobs r, queue_deletions d
      WHERE k.organization_id = org AND k.idempotency_key = ANY (ARRAY(
          SELECT j.idempotency_key FROM json_to_recordset(list) AS j(idempotency_key text) WHERE j.idempotency_key IS NOT NULL))
        AND r.id = k.job_id AND d.organization_id = org AND d.queue_name = r.queue_name AND r.created_at <= d.deleted_until;
    END IF;
    -- The insert waits for a concurrent holder of the same key; in order of key, so that two batches never wait for each other.
    INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id)
    SELECT DISTINCT ON (j.idempotency_key) org, j.idempotency_key, j.id
    FROM json_to_recordset(list) AS j(number integer, id uuid, idempotency_key text)
    WHERE j.idempotency_key IS NOT NULL AND NOT j.number = ANY (skip) ORDER BY j.idempotency_key, j.number
    ON CONFLICT DO NOTHING;
    WITH held AS (
      SELECT j.number, i.job_id FROM json_to_recordset(list) AS j(number integer, id uuid, idempotency_key text)
      JOIN idempotency_keys i ON i.organization_id = org AND i.idempotency_key = j.idempotency_key
      WHERE i.job_id <> j.id
    ), touched AS (
      UPDATE jobs SET updated_at = current_ts() WHERE id = ANY (ARRAY(SELECT job_id FROM held))
    )
    SELECT skip || coalesce(array_agg(number), '{}'), coalesce(jsonb_agg(jsonb_build_object('number', number, 'id', job_id)), '[]')
    INTO skip, hits FROM held;
  END IF;

  IF head -> 'quota' IS NOT NULL AND json_array_length(list) > cardinality(skip) THEN
    PERFORM check_job_quota_v1(
      org, head -> 'quota', json_array_length(list) - cardinality(skip),
      ARRAY(SELECT DISTINCT j.queue FROM json_to_recordset(list) AS j(queue text)));
  END IF;

  IF (head ->> 'parented')::boolean THEN
    -- The parents of jobs that exist may be gone.
    IF skip <> '{}' THEN
      children := (
        SELECT coalesce(json_agg(job), '[]') FROM json_array_elements(list) AS job WHERE NOT (job ->> 'number')::integer = ANY (skip));
    ELSE
      children := list;
    END IF;
    PERFORM require_parents_v1(org, children);
  END IF;

  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset(list) AS j(
      number integer, id uuid, queue text, payload json, payload_base64 text, job_type text, priority smallint, max_retries smallint,
      timeout_seconds integer, scheduled_at timestamptz, expires_at timestamptz, idempotency_key text, tags jsonb, parent_job_id uuid,
      completion_webhook text, completion_webhook_secret text, traceparent text, created_by text,
      settings jsonb)
    WHERE NOT j.number = ANY (skip)
  ), record AS (
    INSERT INTO jobs (
      id, organization_id, queue_name, payload, job_type, priority, max_retries, timeout_seconds, scheduled_at, expires_at,
      idempotency_key, tags, parent_job_id, completion_webhook, completion_webhook_secret, traceparent,
      created_by, settings, dependency_mode, workflow_id, created_at, updated_at)
    SELECT
      i.id, org, i.queue, coalesce(i.payload, convert_from(decode(i.payload_base64, 'base64'), 'UTF8')::json), i.job_type, i.priority,
      coalesce(i.max_retries, c.max_retries, server_max_retries), coalesce(i.timeout_seconds, c.default_timeout, server_timeout),
      i.scheduled_at, i.expires_at, i.idempotency_key, i.tags, i.parent_job_id, i.completion_webhook, i.completion_webhook_secret,
      i.traceparent, i.created_by, i.settings, CASE WHEN i.parent_job_id IS NOT NULL THEN 'all' END, batch, current_ts(),
      current_ts()
    FROM input i LEFT JOIN queue_config c ON c.organization_id = org AND c.queue_name = i.queue
    RETURNING id, queue_name, created_at, scheduled_at, expires_at, priority, max_retries, parent_job_id
  ), live AS (
    INSERT INTO job_queue (
      job_id, organization_id, queue_name, state, due_at, priority, max_retries, created_at, expires_at, dependencies_met)
    SELECT id, org, queue_name,
      CASE WHEN scheduled_at > current_ts() THEN 'scheduled' ELSE 'ready' END::live_state,
      CASE WHEN scheduled_at > current_ts() THEN scheduled_at END,
      priority, max_retries, created_at, expires_at, parent_job_id IS NULL
    FROM record
  ), named AS MATERIALIZED (
    -- Transactions that add jobs to a queue share its lock until they commit: a deletion that does not see their jobs yet leaves the name of
    -- the queue (tryLockQueue). Taken before the counters, in the order of the deletion.
    SELECT q.queue_name, q.jobs FROM (SELECT queue_name, count(*) AS jobs FROM record GROUP BY queue_name) q
    WHERE pg_advisory_xact_lock_shared(hashtextextended(concat('queue:', org, ':', q.queue_name), 0))::text IS NOT NULL
  ), seen AS (
    -- In order, so that two batches with the same new queues never wait for each other.
    INSERT INTO queues (organization_id, queue_name) SELECT org, queue_name FROM named ORDER BY queue_name ON CONFLICT DO NOTHING
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, created)
    SELECT org, queue_name, date_trunc('hour', current_ts()), counter_slot(), jobs FROM named
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET created = job_stats.created + excluded.created
  )
  INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
  SELECT org, (current_ts() AT TIME ZONE 'UTC')::date, counter_slot(), count(*) FROM record HAVING count(*) > 0
  ON CONFLICT (organization_id, day, slot) DO UPDATE SET jobs_created = usage_counters.jobs_created + excluded.jobs_created;

  IF (head ->> 'parented')::boolean THEN
    linked := link_children_v1(org, children);
  END IF;

  IF has_subscribers_v1(org, 'job.created') THEN
    SELECT record_deliveries_v1(org, 'job.created', array_agg(j.id), array_agg(json_build_object(
      'job_id', j.id, 'queue_name', j.queue, 'priority', j.priority,
      'status', CASE WHEN j.scheduled_at > current_ts() THEN 'scheduled' ELSE 'pending' END)))
    INTO deliveries
    FROM json_to_recordset(list) AS j(number integer, id uuid, queue text, priority smallint, scheduled_at timestamptz)
    WHERE NOT j.number = ANY (skip);
  END IF;

  RETURN jsonb_build_object('refused', refused, 'hits', hits, 'linked', linked, 'deliveries', deliveries);
END
$$;
