-- Completes jobs of one organization.
--
-- Input:
--   org
--   items  [{command, id, worker, lease?, scope?, renewed?, result | result_base64?}]
--       command  number of the command
--       id       job
--       worker   who shows the lease
--       lease    its id; absent: the worker's name alone
--       scope    queues that its key may touch; absent = all
--       renewed  true: Redis holds the lease beyond the row's end
--       result_base64  a result that holds \u0000, over which the JSON functions cannot read
-- Output:
--   {organization, now, done: [{command, id, queue, duration_ms, started_at, traceparent, workflow, lease}],
--    freed: [queue], refused: [{command, why, same}], released: [{id, queue}], deliveries: [{id, organization}]}
--   freed: queues with a concurrency limit in which places are free now;
--   workflow: so that only jobs of workflows are settled; lease: only where Redis may know it; refused: see lease_refusal_v1;
--   released: children that were unblocked
-- Relies on: job_queue primary key; jobs primary key (one partition per id)
CREATE OR REPLACE FUNCTION complete_part_v2(org uuid, items json) RETURNS json
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  held uuid[];
  numbers integer[];
  results json[];
  finished completed_jobs_v1;
  refused json := '[]';
  released jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  PERFORM set_config('app.current_org_id', org::text, true);
  SELECT array_agg(h.job_id), array_agg(h.command), array_agg(h.result) INTO held, numbers, results FROM (
    -- The first of those that hold the job: another worker may have sent a result before it, which is refused.
    SELECT DISTINCT ON (i.id) i.id AS job_id, i.command,
      coalesce(i.result, convert_from(decode(i.result_base64, 'base64'), 'UTF8')::json) AS result
    FROM (
      SELECT x.*
      FROM json_to_recordset(items) AS x(
        command integer, id uuid, worker text, lease text, scope text[], renewed boolean, result json, result_base64 text)
      ORDER BY x.id, x.command
    ) AS i
    -- One probe of the key for each, in order of the keys. As a join, or with the state compared as what it is, a plan from the
    -- time of an empty table may look through all leases instead.
    CROSS JOIN LATERAL (
      SELECT q.job_id FROM job_queue q
      WHERE q.job_id = i.id AND q.organization_id = org AND q.state::text = 'leased' AND q.worker_id = i.worker
        AND (q.lease_expires_at > moment OR i.renewed)
        AND (i.lease IS NULL OR q.lease_id::text = i.lease) AND (i.scope IS NULL OR q.queue_name = ANY (i.scope))
      FOR UPDATE
    ) AS q
    ORDER BY i.id, i.command
  ) AS h;
  finished := finish_jobs_v2(org, moment, coalesce(held, '{}'), numbers, results);

  IF cardinality(finished.accepted) < json_array_length(items) THEN
    SELECT json_agg(lease_refusal_v1(org, x.id, x.worker, x.lease, x.scope) || jsonb_build_object('command', x.command)) INTO refused
    FROM json_to_recordset(items) AS x(command integer, id uuid, worker text, lease text, scope text[])
    WHERE NOT x.command = ANY (finished.accepted);
  END IF;
  IF finished.parents IS NOT NULL THEN
    released := release_dependents_v1(org, finished.parents);
  END IF;
  IF finished.called IS NOT NULL THEN
    deliveries := record_completion_deliveries_v1(org, finished.called);
  END IF;
  IF finished.ids IS NOT NULL AND has_subscribers_v1(org, 'job.completed') THEN
    deliveries := deliveries || (
      SELECT record_deliveries_v1(org, 'job.completed', array_agg(j.id), array_agg(json_build_object(
        'job_id', j.id, 'queue_name', j.queue_name, 'status', 'completed', 'result', j.result)))
      FROM jobs j WHERE j.id = ANY (finished.ids) AND j.id BETWEEN held[1] AND held[cardinality(held)]);
  END IF;
  RETURN json_build_object(
    'organization', org, 'now', moment, 'done', finished.done, 'freed', freed_queues_v1(org, finished.done), 'refused', refused, 'released', released, 'deliveries', deliveries);
END
$$;
