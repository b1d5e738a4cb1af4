-- Deletes rows of an organization that no longer exists, `most` at most from each of its tables. The only list of these tables: a spec
-- compares it with the catalogue. Live jobs and what fires by itself come first.
--
-- Input:
--   org
--   most
-- Output: the number of deleted rows; 0: none is left
CREATE OR REPLACE FUNCTION erase_organization_v1(org uuid, most integer) RETURNS bigint
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  deleted bigint := 0;
  part bigint;
  name text;
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

  DELETE FROM schedule_runs WHERE id = ANY (ARRAY(
    SELECT r.id FROM schedules s JOIN schedule_runs r ON r.schedule_id = s.id WHERE s.organization_id = org LIMIT most));
  GET DIAGNOSTICS part = ROW_COUNT;
  deleted := deleted + part;
  -- Their runs and jobs go by cascade, hence fewer.
  FOREACH name IN ARRAY ARRAY['schedules', 'workflows', 'operations', 'batches'] LOOP
    EXECUTE format(
      'DELETE FROM %1$I WHERE id = ANY (ARRAY(SELECT id FROM %1$I WHERE organization_id = $1 %2$s LIMIT $2 / 50 + 1))', name,
      CASE name WHEN 'operations' THEN $c$ AND kind <> 'organization.delete' $c$
        WHEN 'batches' THEN 'AND NOT EXISTS (SELECT FROM batch_jobs m WHERE m.batch_id = batches.id)'
        WHEN 'schedules' THEN 'AND NOT EXISTS (SELECT FROM schedule_runs r WHERE r.schedule_id = schedules.id)' END)
    USING org, most;
    GET DIAGNOSTICS part = ROW_COUNT;
    deleted := deleted + part;
  END LOOP;

  FOREACH name IN ARRAY ARRAY[
    'webhook_deliveries', 'workers', 'batch_jobs', 'dead_letters', 'dead_letter_counts', 'idempotency_keys', 'job_stats', 'usage_counters', 'queues', 'queue_deletions',
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
  DELETE FROM jobs WHERE id = ANY (ids);
  RETURN deleted + cardinality(ids);
END
$$;
