-- At most one effect of each command, however often and however late it is delivered.
--
-- A command may be run again while its first run is still to come or has not been heard of: its engine stopped for a while, was
-- killed, or could not be reached. What has become of a command is said by its own rows where it has any (a job's id, a lease);
-- the two tables here say it for the rest. Both are written by libs/queue and pruned by the scheduler.

-- Commands whose effect cannot be told from other rows, written in the transaction of the effect. A second run finds the outcome of
-- the first; one that runs at the same moment fails at the key, with all its effects, and is run again.
CREATE TABLE command_log (
  organization_id uuid NOT NULL,
  command_id uuid NOT NULL,
  outcome json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, command_id)
);
CREATE INDEX command_log_oldest ON command_log (created_at);
SELECT protect_tenant_table('command_log');

-- Fencing tokens: commands that were delivered more than once, with the highest delivery that has run (32767: taken back by the
-- sender). A run of a lower delivery may not begin any more. Ids and numbers only, no tenant data, because one statement asks for the
-- commands of many tenants.
CREATE TABLE command_fences (
  command_id uuid PRIMARY KEY,
  delivery smallint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX command_fences_oldest ON command_fences (created_at);
GRANT SELECT, INSERT, UPDATE ON command_fences TO spooled_app;
GRANT SELECT, DELETE ON command_fences TO spooled_system;

-- Fences off the lower deliveries of these commands, and fails with SQLSTATE SPF01 if one of them is fenced off itself. Sent in
-- front of a batch's statements, without waiting for it: commands that were delivered once cost one look into an empty index.
CREATE FUNCTION fence_commands_v1(ids uuid[], deliveries smallint[]) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF EXISTS (
    SELECT FROM command_fences f
    WHERE f.command_id = ANY (ids) AND f.delivery > deliveries[array_position(ids, f.command_id)]
  ) THEN
    RAISE EXCEPTION 'a later delivery of the command has run' USING ERRCODE = 'SPF01';
  END IF;
  IF 1 < ANY (deliveries) THEN
    INSERT INTO command_fences (command_id, delivery)
    SELECT id, delivery FROM unnest(ids, deliveries) AS c(id, delivery) WHERE delivery > 1 ORDER BY id
    ON CONFLICT (command_id) DO UPDATE SET delivery = greatest(command_fences.delivery, excluded.delivery);
  END IF;
END
$$;

-- batch: [{organization, commands: [id]}]. What is known of them: {id: outcome}.
CREATE FUNCTION logged_outcomes_v1(batch json) RETURNS json
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  part json;
  found json;
  outcomes jsonb := '{}';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    PERFORM set_config('app.current_org_id', part ->> 'organization', true);
    SELECT json_object_agg(l.command_id, l.outcome) INTO found FROM command_log l
    WHERE l.organization_id = (part ->> 'organization')::uuid
      AND l.command_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(part -> 'commands')));
    outcomes := outcomes || coalesce(found::jsonb, '{}');
  END LOOP;
  RETURN outcomes;
END
$$;

-- batch: [{organization, commands: [{id, outcome}]}], in order of organization. Fails with a unique violation where a command has run.
CREATE FUNCTION log_outcomes_v1(batch json) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    PERFORM set_config('app.current_org_id', part ->> 'organization', true);
    INSERT INTO command_log (organization_id, command_id, outcome)
    SELECT (part ->> 'organization')::uuid, c.id, c.outcome
    FROM json_to_recordset(part -> 'commands') AS c(id uuid, outcome json) ORDER BY c.id;
  END LOOP;
END
$$;

-- Jobs that earlier runs of these claims have granted, by the lease ids that are derived from claim and job (claim_jobs_v1).
-- batch: [{number, organization, queue, worker, claim}], one queue each; in order of organization. The rows are locked, so that
-- nobody gives them back meanwhile. Relies on: job_queue_leased.
CREATE FUNCTION adopt_leases_v1(batch json) RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  item json;
  org uuid;
BEGIN
  FOR item IN SELECT value FROM json_array_elements(batch) LOOP
    org := (item ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    RETURN QUERY
    SELECT (item ->> 'number')::integer, 0, q.job_id, q.queue_name, j.payload, q.priority, q.retry_count, q.max_retries,
      j.timeout_seconds, q.lease_id, q.lease_expires_at, q.created_at, coalesce(q.due_at, j.scheduled_at), q.started_at,
      j.idempotency_key, j.traceparent, q.worker_id, false
    FROM job_queue q CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = q.job_id OFFSET 0) AS j
    WHERE q.organization_id = org AND q.queue_name = item ->> 'queue' AND q.worker_id = item ->> 'worker' AND q.state = 'leased'
      AND q.lease_id = md5((item ->> 'claim') || q.job_id)::uuid
    ORDER BY q.priority DESC, q.created_at, q.job_id
    FOR UPDATE OF q;
  END LOOP;
END
$$;

-- Gives back what was granted to these claims, at no cost; see release_leases_v1, whose rows this returns.
-- claims: [{claim, queue, worker}]. Relies on: job_queue_leased.
CREATE FUNCTION release_claims_v1(org uuid, claims json) RETURNS TABLE (job_id uuid, queue_name text, lease_id uuid, released_at timestamptz)
  LANGUAGE sql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
  WITH held AS MATERIALIZED (
    SELECT q.job_id, q.lease_id
    FROM json_to_recordset(claims) AS c(claim uuid, queue text, worker text) CROSS JOIN LATERAL (
      SELECT q.job_id, q.lease_id FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = c.queue AND q.worker_id = c.worker AND q.state = 'leased'
        AND q.lease_id = md5(c.claim::text || q.job_id)::uuid
      ORDER BY q.job_id FOR UPDATE
    ) AS q
  )
  UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
  FROM held h WHERE q.job_id = h.job_id
  RETURNING q.job_id, q.queue_name, h.lease_id, now()
$$;
