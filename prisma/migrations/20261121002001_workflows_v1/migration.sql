-- Workflows: created whole or not at all, and settled in the transaction that ends or revives one of their jobs.
-- While a workflow is open its counters are read from its jobs: a counter row would be fought over by all jobs that end at once.

ALTER TABLE workflows
  -- Written when the workflow ends, because retention may remove its jobs before itself.
  ADD COLUMN completed_jobs integer NOT NULL DEFAULT 0,
  ADD COLUMN failed_jobs integer NOT NULL DEFAULT 0,
  -- The queues of its jobs, so that a scoped key is judged without a look at them.
  ADD COLUMN queue_names text[] NOT NULL DEFAULT '{}';

-- Creates a workflow with its jobs and edges. Refuses (SQLSTATE SPQ01) what does not fit the plan; a repeated command finds its own
-- workflow and changes nothing.
-- flow: {id, name, description?, metadata?}; part: as for enqueue_part_v1, one command;
-- edges: [{id, key, mode, on: [parent ids]}], one for each job. most: workflows that the organization may have, null = any number.
-- Returns {now, again, deliveries}.
CREATE FUNCTION create_workflow_v1(
  org uuid, flow json, part json, edges json, most integer, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  flow_id uuid := (flow ->> 'id')::uuid;
  known bigint;
  created jsonb;
BEGIN
  IF most IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('workflows:' || org, 0));
  END IF;
  IF EXISTS (SELECT FROM workflows WHERE id = flow_id AND organization_id = org) THEN
    RETURN jsonb_build_object('now', now(), 'again', true, 'deliveries', '[]'::jsonb);
  END IF;
  IF most IS NOT NULL THEN
    SELECT count(*) INTO known FROM workflows WHERE organization_id = org;
    IF known >= most THEN
      RAISE EXCEPTION USING ERRCODE = 'SPQ01',
        MESSAGE = json_build_object('resource', 'workflows', 'current', known, 'limit', most)::text;
    END IF;
  END IF;

  created := enqueue_part_v1(part, server_max_retries, server_timeout);
  INSERT INTO workflows (id, organization_id, name, description, metadata, total_jobs, queue_names)
  SELECT flow_id, org, flow ->> 'name', flow ->> 'description', (flow -> 'metadata')::jsonb, json_array_length(edges),
    ARRAY(SELECT DISTINCT j.q FROM json_to_recordset(part -> 'jobs') AS j(q text));
  INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key)
  SELECT org, flow_id, e.id, e.key FROM json_to_recordset(edges) AS e(id uuid, key text);
  INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
  SELECT org, e.id, parent::uuid FROM json_to_recordset(edges) AS e(id uuid, "on" json), json_array_elements_text(e."on") AS parent;
  -- Nobody sees the new rows before the commit, so blocking them afterwards comes early enough.
  UPDATE jobs j SET workflow_id = flow_id, dependency_mode = e.mode
  FROM json_to_recordset(edges) AS e(id uuid, mode text) WHERE j.id = e.id;
  UPDATE job_queue q SET
    dependencies_met = json_array_length(e."on") = 0,
    has_dependents = EXISTS (SELECT FROM job_dependencies d WHERE d.depends_on_job_id = q.job_id)
  FROM json_to_recordset(edges) AS e(id uuid, "on" json) WHERE q.job_id = e.id;
  UPDATE webhook_deliveries w SET payload = (w.payload::jsonb || jsonb_build_object('workflow_id', flow_id))::json
  WHERE w.id IN (SELECT (x ->> 'id')::uuid FROM jsonb_array_elements(created -> 'deliveries') AS x);
  RETURN jsonb_build_object('now', now(), 'again', false, 'deliveries', created -> 'deliveries');
END
$$;

-- Brings workflows to the status that their jobs give them. The last statement before the commit: locks on jobs come before locks on
-- workflows in every transaction, and those in order of organization and id, so that jobs of one workflow may end in any number
-- of transactions at once. Locks first and looks in a later statement: of two last jobs, the second transaction sees the first.
--
-- batch: [{org, jobs: [ids that ended or were revived], flows: [workflow ids], cancel: [workflow ids]}], in order of org.
-- Open = some job is live: running. Else completed when every job has completed, failed when not. What was cancelled stays so.
CREATE FUNCTION settle_workflows_v1(batch json) RETURNS void
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  part json;
  org uuid;
  stopped uuid[];
  touched uuid[];
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    stopped := ARRAY(SELECT x::uuid FROM json_array_elements_text(part -> 'cancel') AS x);
    touched := ARRAY(
      SELECT j.workflow_id FROM jobs j
      -- An array and not a set to join with: a plan from the time of an empty table would read every record.
      WHERE j.id = ANY (ARRAY(SELECT x::uuid FROM json_array_elements_text(part -> 'jobs') AS x)) AND j.workflow_id IS NOT NULL
      UNION SELECT x::uuid FROM json_array_elements_text(part -> 'flows') AS x
      UNION SELECT unnest(stopped));
    CONTINUE WHEN cardinality(touched) = 0;
    PERFORM FROM workflows WHERE organization_id = org AND id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;

    UPDATE workflows w SET status = 'cancelled', completed_at = moment
    WHERE w.organization_id = org AND w.id = ANY (stopped) AND w.status IN ('pending', 'running');
    WITH found AS (
      SELECT w.id, w.total_jobs, w.status,
        count(j.id) FILTER (WHERE j.outcome IS NULL) AS live,
        count(j.id) FILTER (WHERE j.outcome = 'completed') AS completed,
        count(j.id) FILTER (WHERE j.outcome IN ('failed', 'deadletter')) AS failed,
        min(j.started_at) AS started
      FROM workflows w
      JOIN workflow_jobs m ON m.workflow_id = w.id
      LEFT JOIN jobs j ON j.id = m.job_id
      WHERE w.organization_id = org AND w.id = ANY (touched) AND w.status <> 'cancelled'
      GROUP BY w.id
    ), settled AS (
      SELECT f.*, CASE WHEN live > 0 THEN 'running' WHEN completed = total_jobs THEN 'completed' ELSE 'failed' END AS now_status
      FROM found f
    )
    UPDATE workflows w SET status = s.now_status, completed_jobs = s.completed, failed_jobs = s.failed,
      started_at = coalesce(w.started_at, s.started), completed_at = CASE WHEN s.live = 0 THEN moment END
    FROM settled s WHERE w.id = s.id AND s.now_status <> s.status;
  END LOOP;
END
$$;
