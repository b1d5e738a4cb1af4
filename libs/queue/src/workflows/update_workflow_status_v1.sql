-- Brings workflows to the status that their jobs give them. The last statement before the commit: locks on jobs come before locks on
-- workflows in every transaction, and those in order of organization and id, so that jobs of one workflow may end in any number of
-- transactions at once. Locks first and reads in a later statement: of two last jobs, the second transaction sees the first. Before them,
-- the queues of callbacks (hold_callback_queues_v1).
-- Open = some job is live: running. Else completed when every job has completed, failed when not. What was cancelled stays so.
-- A job whose record is gone counts as completed if it was (workflow_jobs.has_completed): all jobs of a completed workflow were.
--
-- Input:
--   batch  [{org, jobs: [ids that ended or were requeued], members: [the same, of the flows], flows: [ids of workflows and batches],
--          cancel: [workflow ids]}], in order of org
-- Output: {deliveries: [{id, organization}] of workflow.completed and workflow.failed, one for each arrival in that status,
--   changes: [{org, id, name, status, old_status, total_jobs, completed_jobs, failed_jobs}],
--   callbacks: as settle_batches_v1, of the batches whose jobs these are, moment}
CREATE OR REPLACE FUNCTION update_workflow_status_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := current_ts(clock_timestamp());
  part json;
  org uuid;
  stopped uuid[];
  touched uuid[];
  has_workflows boolean;
  ended jsonb;
  event_name text;
  jobs uuid[];
  members uuid[];
  batches jsonb;
  deliveries jsonb := '[]';
  changes jsonb := '[]';
  callbacks jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    stopped := ARRAY(SELECT x::uuid FROM json_array_elements_text(part -> 'cancel') AS x);
    jobs := ARRAY(SELECT x::uuid FROM json_array_elements_text(part -> 'jobs') AS x);
    touched := ARRAY(
      SELECT j.workflow_id FROM jobs j
      -- An array and not a set to join with: a plan from the time of an empty table would read every record.
      WHERE j.id = ANY (jobs) AND j.workflow_id IS NOT NULL
      UNION SELECT x::uuid FROM json_array_elements_text(part -> 'flows') AS x
      UNION SELECT unnest(stopped));
    CONTINUE WHEN cardinality(touched) = 0;
    members := jobs || ARRAY(SELECT x::uuid FROM json_array_elements_text(part -> 'members') AS x);
    PERFORM hold_callback_queues_v1(org, touched, members);
    PERFORM FROM workflows WHERE organization_id = org AND id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
    has_workflows := FOUND;
    -- After the locks: a workflow does not end before the jobs that they waited for.
    moment := current_ts(clock_timestamp());

    -- Else only batches were touched.
    IF has_workflows THEN
      UPDATE workflows w SET status = 'cancelled', completed_at = moment
      WHERE w.organization_id = org AND w.id = ANY (stopped) AND w.status IN ('pending', 'running');
      WITH found AS (
        SELECT w.id, w.total_jobs, w.status,
          count(j.id) FILTER (WHERE j.outcome IS NULL) AS live,
          count(*) FILTER (
            WHERE CASE WHEN j.id IS NULL THEN m.has_completed OR w.status = 'completed' ELSE j.outcome = 'completed' END) AS completed,
          count(j.id) FILTER (WHERE j.outcome IN ('failed', 'deadletter')) AS failed,
          -- That of a running job is in its live row.
          min(coalesce(j.started_at, (SELECT q.started_at FROM job_queue q WHERE q.job_id = j.id))) AS started
        FROM workflows w
        JOIN workflow_jobs m ON m.workflow_id = w.id
        LEFT JOIN jobs j ON j.id = m.job_id
        WHERE w.organization_id = org AND w.id = ANY (touched) AND w.status <> 'cancelled'
        GROUP BY w.id
      ), settled AS (
        SELECT f.*, CASE WHEN live > 0 THEN 'running' WHEN completed = total_jobs THEN 'completed' ELSE 'failed' END AS now_status
        FROM found f
      ), changed AS (
        UPDATE workflows w SET status = s.now_status, completed_jobs = s.completed, failed_jobs = s.failed,
          started_at = coalesce(w.started_at, s.started), completed_at = CASE WHEN s.live = 0 THEN moment END
        FROM settled s WHERE w.id = s.id AND s.now_status <> s.status
        RETURNING org, w.id, w.name, w.status, s.status AS old_status, w.total_jobs, w.completed_jobs, w.failed_jobs
      ), kept AS (
        -- Where a workflow may be retried from, and when it is. Most complete once, and are not written.
        UPDATE workflow_jobs m SET has_completed = n.completed
        FROM changed c
        JOIN workflow_jobs o ON o.workflow_id = c.id
        LEFT JOIN jobs j ON j.id = o.job_id
        CROSS JOIN LATERAL (
          SELECT CASE WHEN j.id IS NULL THEN o.has_completed OR c.old_status = 'completed'
            ELSE coalesce(j.outcome = 'completed', false) END AS completed
        ) n
        WHERE (c.status = 'failed' OR c.old_status IN ('completed', 'failed'))
          AND m.workflow_id = o.workflow_id AND m.key = o.key AND m.has_completed <> n.completed
      )
      SELECT changes || coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.id), '[]'), jsonb_agg(to_jsonb(c)) FILTER (WHERE c.status IN ('completed', 'failed'))
      INTO changes, ended FROM changed c;
      FOR event_name IN SELECT DISTINCT 'workflow.' || (e ->> 'status') FROM jsonb_array_elements(ended) AS e LOOP
        CONTINUE WHEN NOT has_subscribers_v1(org, event_name);
        deliveries := deliveries || (
          SELECT record_deliveries_v1(org, event_name, array_agg(NULL::uuid), array_agg(json_build_object(
            'workflow_id', e ->> 'id', 'name', e ->> 'name', 'status', e ->> 'status', 'total_jobs', e -> 'total_jobs',
            'completed_jobs', e -> 'completed_jobs', 'failed_jobs', e -> 'failed_jobs')))
          FROM jsonb_array_elements(ended) AS e WHERE 'workflow.' || (e ->> 'status') = event_name);
      END LOOP;
    END IF;
    batches := settle_batches_v1(org, members, touched);
    callbacks := callbacks || (batches -> 'callbacks');
    deliveries := deliveries || (batches -> 'deliveries');
  END LOOP;
  RETURN jsonb_build_object('deliveries', deliveries, 'changes', changes, 'callbacks', callbacks, 'moment', moment);
END
$$;
