-- Creates a workflow with its jobs and edges, whole or not at all. A repeated command finds its own workflow and changes nothing. While
-- a workflow is open its counters are read from its jobs: a counter row would be contended by all jobs that end at once.
--
-- Input:
--   org
--   flow   {id, name, description?, metadata?}
--   part   a head of enqueue_part_v1 with its jobs, {…, jobs: [job]}; one command
--   edges  [{id, key, mode, on: [parent ids]}], one for each job
--   most   workflows that the organization may have; null = any number
--   server_max_retries, server_timeout  as for enqueue_jobs_v1
-- Output: {now, again, refused: [refusal], deliveries: [{id, organization}]}
--   again    it was there
--   refused  as from refused_receivers_v1; nothing was created
-- Raises: SPQ01 for what does not fit the plan
CREATE OR REPLACE FUNCTION create_workflow_v1(
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
    RETURN jsonb_build_object('now', current_ts(), 'again', true, 'refused', '[]'::jsonb, 'deliveries', '[]'::jsonb);
  END IF;
  IF most IS NOT NULL THEN
    SELECT count(*) INTO known FROM workflows WHERE organization_id = org;
    IF known >= most THEN
      RAISE EXCEPTION USING ERRCODE = 'SPQ01',
        MESSAGE = json_build_object('resource', 'workflows', 'current', known, 'limit', most)::text;
    END IF;
  END IF;

  created := enqueue_part_v1(part, part -> 'jobs', server_max_retries, server_timeout);
  IF created -> 'refused' <> '[]' THEN
    RETURN jsonb_build_object('now', current_ts(), 'again', false, 'deliveries', '[]'::jsonb) || created;
  END IF;
  INSERT INTO workflows (id, organization_id, name, description, metadata, total_jobs, queue_names)
  SELECT flow_id, org, flow ->> 'name', flow ->> 'description', (flow -> 'metadata')::jsonb, json_array_length(edges),
    ARRAY(SELECT DISTINCT j.queue FROM json_to_recordset(part -> 'jobs') AS j(queue text));
  INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key)
  SELECT org, flow_id, e.id, e.key FROM json_to_recordset(edges) AS e(id uuid, key text);
  INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
  SELECT org, e.id, parent::uuid FROM json_to_recordset(edges) AS e(id uuid, "on" json), json_array_elements_text(e."on") AS parent;
  -- No other transaction sees the new rows before the commit, so they may be blocked after they were inserted.
  UPDATE jobs j SET workflow_id = flow_id, dependency_mode = e.mode
  FROM json_to_recordset(edges) AS e(id uuid, mode text) WHERE j.id = e.id;
  UPDATE job_queue q SET
    dependencies_met = json_array_length(e."on") = 0,
    has_dependents = EXISTS (SELECT FROM job_dependencies d WHERE d.depends_on_job_id = q.job_id)
  FROM json_to_recordset(edges) AS e(id uuid, "on" json) WHERE q.job_id = e.id;
  UPDATE webhook_deliveries w SET payload = (w.payload::jsonb || jsonb_build_object('workflow_id', flow_id))::json
  WHERE w.id IN (SELECT (x ->> 'id')::uuid FROM jsonb_array_elements(created -> 'deliveries') AS x);
  RETURN jsonb_build_object('now', current_ts(), 'again', false, 'refused', '[]'::jsonb, 'deliveries', created -> 'deliveries');
END
$$;
