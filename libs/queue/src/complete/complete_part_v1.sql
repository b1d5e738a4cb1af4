-- Completes jobs of one organization.
--
-- Input: one element for each item; scopes, renewed and results may be null as a whole
--   org
--   numbers  number of the command
--   ids      job
--   workers  who shows the lease
--   leases   its id; null: the worker's name alone
--   scopes   JSON array of the queues that its key may touch; null = all
--   renewed  true: Redis holds the lease beyond the row's end
--   results
-- Output:
--   {organization, now, done: {number, id, queue, duration_ms, started_at, traceparent, workflow, lease},
--    freed: [queue], refused: [{command, why, same}], released: [{id, queue}], deliveries: [{id, organization}]}
--   done: a list in each member, as long as the first, or null where all elements are. 0.97 µs for each job; as objects 3.50.
--   freed: queues with a concurrency limit in which places are free now;
--   workflow: so that only jobs of workflows are settled; lease: only where Redis may know it; refused: see lease_refusal_v1;
--   released: children that were unblocked
-- Relies on: job_queue primary key; jobs primary key (one partition per id)
CREATE OR REPLACE FUNCTION complete_part_v1(
  org uuid, numbers integer[], ids uuid[], workers text[], leases text[], scopes json[], renewed boolean[], results json[]) RETURNS json
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  held uuid[];
  held_numbers integer[];
  held_results json[];
  finished completed_jobs_v1;
  refused json := '[]';
  released jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  PERFORM set_config('app.current_org_id', org::text, true);
  SELECT array_agg(h.job_id), array_agg(h.command), array_agg(h.result) INTO held, held_numbers, held_results FROM (
    -- The first of those that hold the job: another worker may have sent a result before it, which is refused.
    SELECT DISTINCT ON (i.id) i.id AS job_id, i.command, i.result
    FROM (
      SELECT x.id, x.command, x.result, x.worker, x.lease, x.extended,
        CASE WHEN x.scope IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(x.scope)) END AS scope
      FROM ROWS FROM (
        unnest(numbers), unnest(ids), unnest(workers), unnest(leases), unnest(scopes), unnest(renewed), unnest(results)
      ) AS x(command, id, worker, lease, scope, extended, result)
      ORDER BY x.id, x.command
    ) AS i
    -- One probe of the key for each, in order of the keys. As a join, a plan from the time of an empty table may look through all leases
    -- instead.
    CROSS JOIN LATERAL (
      SELECT q.job_id FROM job_queue q
      WHERE q.job_id = i.id AND holds_lease_v1(q, org, i.worker, i.lease, i.scope, i.extended, moment) FOR UPDATE
    ) AS q
    ORDER BY i.id, i.command
  ) AS h;
  finished := finish_jobs_v1(org, moment, coalesce(held, '{}'), held_numbers, held_results);

  IF cardinality(finished.accepted) < cardinality(ids) THEN
    SELECT json_agg(lease_refusal_v1(org, x.id, x.worker, x.lease,
      CASE WHEN x.scope IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(x.scope)) END) || jsonb_build_object('command', x.command))
    INTO refused
    FROM ROWS FROM (unnest(numbers), unnest(ids), unnest(workers), unnest(leases), unnest(scopes)) AS x(command, id, worker, lease, scope)
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
    'organization', org, 'now', moment, 'done', finished.done, 'freed', queues_with_free_slots_v1(org, finished.done -> 'queue'),
    'refused', refused, 'released', released, 'deliveries', deliveries);
END
$$;
