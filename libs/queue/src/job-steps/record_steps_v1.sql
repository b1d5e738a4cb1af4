-- Keeps the results of finished steps of jobs, under the leases of their holders. A result that is kept already stays as it is, so a
-- repeated command changes nothing. Locks the live rows and writes none of them.
--
-- Input:
--   batch  [{organization, items: [{command, id, worker, lease?, scope?, renewed?, name, result?}]}], in order of organization
--       command, id, worker, lease, scope, renewed  as for renew_leases_v1
--       name     of the step
--       result   text of its JSON, which a JSON string holds unchanged; absent: none
--   most   steps of a job at most
-- Output: rows with `why` are refusals: those of lease_refusal_v1, `kind` (the name is that of a wait), `steps` (the job has `most`)
-- Relies on: the primary keys of job_queue and job_steps
CREATE OR REPLACE FUNCTION record_steps_v1(batch json, most integer) RETURNS TABLE (command integer, why text, recorded_at timestamptz)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  part json;
  org uuid;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    -- In a statement before: the next one then sees the steps of a report that held the lock.
    PERFORM FROM job_queue q
    WHERE q.job_id = ANY (ARRAY(SELECT (value ->> 'id')::uuid FROM json_array_elements(part -> 'items')))
      AND q.organization_id = org AND q.state::text = 'leased'
    ORDER BY q.job_id FOR UPDATE;
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(
        command integer, id uuid, worker text, lease text, scope text[], renewed boolean, name text, result text)
    ), held AS MATERIALIZED (
      SELECT i.command, i.name, i.result, q.job_id
      -- As in complete_part_v1.
      FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.job_id FROM job_queue q
        WHERE q.job_id = i.id AND holds_lease_v1(q, org, i.worker, i.lease, i.scope, i.renewed, moment) FOR UPDATE
      ) AS q
    ), judged AS MATERIALIZED (
      SELECT h.*, CASE
          WHEN s.kind <> 'step' THEN 'kind'
          WHEN s.kind IS NULL AND n.steps + row_number() OVER (PARTITION BY h.job_id, s.kind IS NULL ORDER BY h.command) > most THEN 'steps'
        END AS why
      FROM held h
      LEFT JOIN LATERAL (SELECT s.kind FROM job_steps s WHERE s.job_id = h.job_id AND s.name = h.name) AS s ON true
      CROSS JOIN LATERAL (SELECT count(*) AS steps FROM job_steps s WHERE s.job_id = h.job_id) AS n
    ), written AS (
      INSERT INTO job_steps (job_id, organization_id, name, kind, created_at, finished_at, result)
      SELECT DISTINCT ON (j.job_id, j.name) j.job_id, org, j.name, 'step', moment, moment, j.result::json
      FROM judged j WHERE j.why IS NULL ORDER BY j.job_id, j.name, j.command
      ON CONFLICT DO NOTHING
    )
    SELECT j.command, j.why, moment FROM judged j
    UNION ALL
    SELECT i.command, lease_refusal_v1(org, i.id, i.worker, i.lease, i.scope) ->> 'why', NULL
    FROM input i WHERE NOT i.command = ANY (ARRAY(SELECT h.command FROM held h));
  END LOOP;
END
$$;
