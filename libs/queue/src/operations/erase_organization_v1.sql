-- Deletes rows of an organization that no longer exists, `most` at most from each of its tables. The only list of these tables: a spec
-- fills every table of the catalogue. Live jobs and what fires by itself come first.
--
-- Input:
--   org
--   most
-- Output: the number of deleted rows; 0: none is left
CREATE OR REPLACE FUNCTION erase_organization_v1(org uuid, most integer) RETURNS bigint
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
AS $$
DECLARE
  deleted bigint := 0;
  part bigint;
  name text;
  names text[];
  ids uuid[];
BEGIN
  -- Each condition is that of a partial index; together they hold for every row.
  FOREACH name IN ARRAY ARRAY[
    $c$ state IN ('scheduled', 'retrying') $c$, $c$ state = 'leased' $c$, $c$ state = 'ready' AND dependencies_met $c$, 'NOT dependencies_met'
  ] LOOP
    EXECUTE format(
      'DELETE FROM job_queue WHERE job_id = ANY (ARRAY(SELECT job_id FROM job_queue WHERE organization_id = $1 AND %s LIMIT $2))', name)
    USING org, most;
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
  END LOOP;

  -- What has members, which have no index by organization: some at a time, each when its members are gone. By cascade a million could go with
  -- one of them.
  FOREACH names SLICE 1 IN ARRAY ARRAY[
    ['schedules', 'schedule_runs', 'schedule_id'], ['workflows', 'workflow_jobs', 'workflow_id'],
    ['operations', 'operation_items', 'operation_id'], ['batches', 'batch_jobs', 'batch_id']
  ] LOOP
    EXECUTE format('SELECT ARRAY(SELECT id FROM %I WHERE organization_id = $1 %s LIMIT $2)', names[1],
      CASE names[1] WHEN 'operations' THEN $c$ AND kind <> 'organization.delete' $c$ END)
    INTO ids USING org, most;
    EXECUTE format(
      'DELETE FROM %1$I WHERE ctid = ANY (ARRAY(
         SELECT m.ctid FROM unnest($1) AS o(id) CROSS JOIN LATERAL (SELECT ctid FROM %1$I WHERE %2$I = o.id LIMIT $2) AS m LIMIT $2))',
      names[2], names[3])
    USING ids, most;
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
    EXECUTE format('DELETE FROM %I AS o WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM %I WHERE %I = o.id)', names[1], names[2], names[3])
    USING ids;
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
  END LOOP;

  FOREACH name IN ARRAY ARRAY[
    'webhook_deliveries', 'workers', 'dead_letters', 'dead_letter_counts', 'idempotency_keys', 'job_stats', 'usage_counters', 'queues', 'queue_deletions',
    'inbound_deliveries', 'inbound_refusals', 'command_log', 'deleted_jobs', 'worker_counts', 'queue_series', 'series_counters', 'latency_counts'
  ] LOOP
    EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE organization_id = $1 LIMIT $2))', name)
    USING org, most;
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
  END LOOP;
  -- After the deliveries, which would go by cascade.
  IF NOT EXISTS (SELECT FROM webhook_deliveries WHERE organization_id = org) THEN
    DELETE FROM outgoing_webhooks WHERE id = ANY (ARRAY(SELECT id FROM outgoing_webhooks WHERE organization_id = org LIMIT most));
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
  END IF;

  ids := ARRAY(SELECT id FROM job_history WHERE organization_id = org LIMIT most);
  DELETE FROM job_history WHERE id = ANY (ids);
  deleted := deleted + cardinality(ids);
  ids := ARRAY(SELECT id FROM jobs WHERE organization_id = org AND created_at > '-infinity' ORDER BY created_at, id LIMIT most);
  DELETE FROM job_dependencies WHERE job_id = ANY (ids);
  DELETE FROM job_steps WHERE job_id = ANY (ids);
  DELETE FROM job_logs WHERE job_id = ANY (ids);
  -- Also of a batch that was deleted while they joined it.
  DELETE FROM batch_jobs WHERE job_id = ANY (ids);
  DELETE FROM jobs WHERE id = ANY (ids);
  RETURN deleted + cardinality(ids);
END
$$;
