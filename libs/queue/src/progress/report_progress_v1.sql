-- Records how far the holders of unexpired leases are. Touches the narrow row only, and none of its indexed columns.
--
-- Input:
--   batch  [{organization, items: [{command, id, worker?, lease?, scope?, renewed?, progress, message?}]}], in order of organization
--       command, id, lease, scope, renewed  as for renew_leases_v1
--       worker   who reports; absent: the worker that holds the job
--       progress, message  percent and a text; of several reports about a job the last one is kept
-- Output: rows with `why` are refusals (lease_refusal_v1)
-- Relies on: job_queue primary key
CREATE OR REPLACE FUNCTION report_progress_v1(batch json) RETURNS TABLE (
  command integer, why text, queue_name text, worker_id text, reported_at timestamptz)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  part json;
  org uuid;
  ids uuid[];
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(
        command integer, id uuid, worker text, lease text, scope text[], renewed boolean, progress double precision, message text)
    ), held AS MATERIALIZED (
      SELECT i.command, i.progress, i.message, q.job_id, q.queue_name, q.worker_id
      -- As in complete_part_v1.
      FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.job_id, q.queue_name, q.worker_id FROM job_queue q
        WHERE q.job_id = i.id AND holds_lease_v1(q, org, coalesce(i.worker, q.worker_id), i.lease, i.scope, i.renewed, moment) FOR UPDATE
      ) AS q
    ), latest AS (
      SELECT DISTINCT ON (h.job_id) h.job_id, h.progress, h.message FROM held h ORDER BY h.job_id, h.command DESC
    ), written AS (
      UPDATE job_queue q SET progress = l.progress, progress_message = l.message, progress_at = moment
      FROM latest l WHERE q.job_id = l.job_id AND q.job_id = ANY (ids)
    )
    SELECT h.command, NULL::text, h.queue_name, h.worker_id, moment FROM held h
    UNION ALL
    SELECT i.command, lease_refusal_v1(
        org, i.id, coalesce(i.worker, (SELECT q.worker_id FROM job_queue q WHERE q.job_id = i.id)), i.lease, i.scope) ->> 'why',
      NULL, NULL, NULL
    FROM input i WHERE NOT i.command = ANY (ARRAY(SELECT h.command FROM held h));
  END LOOP;
END
$$;
