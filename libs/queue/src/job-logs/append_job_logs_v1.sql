-- Adds lines to the logs of attempts, under the leases of their holders. Locks the live rows and writes none of them. Numbers of lines
-- ascend within an attempt: those that were reported before are ignored, so a repeated command changes nothing.
--
-- The newest row of a job has the sums of its attempt, so a report reads one row, whatever was kept before it.
--
-- Input:
--   batch  [{organization, items: [{command, id, worker, lease?, scope?, renewed?, lines}]}], in order of organization
--       command, id, worker, lease, scope, renewed  as for renew_leases_v1
--       lines    [{number, age, level, message, fields?}]
--           age   milliseconds since it was written
--           fields  text of its JSON, which a JSON string holds unchanged; absent: none
--   most_lines, most_bytes  that an attempt keeps; what comes after is counted
--   most_attempts           of a job that have lines; the oldest go first
-- Output: one row for each command: how many lines were kept, and how many up to its last one were not, also because they were never sent;
-- rows with `why` are refusals (lease_refusal_v1)
-- Relies on: the primary keys of job_queue and job_logs
CREATE OR REPLACE FUNCTION append_job_logs_v1(batch json, most_lines integer, most_bytes integer, most_attempts integer)
  RETURNS TABLE (command integer, why text, kept integer, omitted integer)
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
    -- In a statement before: the next one then sees the lines of a report that held the lock.
    PERFORM FROM job_queue q
    WHERE q.job_id = ANY (ARRAY(SELECT (value ->> 'id')::uuid FROM json_array_elements(part -> 'items')))
      AND q.organization_id = org AND q.state::text = 'leased'
    ORDER BY q.job_id FOR UPDATE;
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(
        command integer, id uuid, worker text, lease text, scope text[], renewed boolean, lines json)
    ), held AS MATERIALIZED (
      SELECT i.command, i.lines, q.job_id, q.lease_id, q.retry_count + 1 AS attempt
      -- As in complete_part_v1.
      FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.job_id, q.lease_id, q.retry_count FROM job_queue q
        WHERE q.job_id = i.id AND holds_lease_v1(q, org, i.worker, i.lease, i.scope, i.renewed, moment) FOR UPDATE
      ) AS q
    ), attempts AS MATERIALIZED (
      SELECT h.job_id, h.lease_id, h.attempt, l.run, l.number, coalesce(l.lease_id = h.lease_id, false) AS goes_on
      FROM (SELECT DISTINCT job_id, lease_id, attempt FROM held) AS h
      LEFT JOIN LATERAL (
        SELECT l.run, l.number, l.lease_id FROM job_logs l WHERE l.job_id = h.job_id ORDER BY l.run DESC, l.number DESC LIMIT 1
      ) AS l ON true
    ), before AS MATERIALIZED (
      SELECT a.job_id, a.lease_id, a.attempt, a.goes_on, a.number AS last_kept,
        CASE WHEN a.goes_on THEN a.run ELSE coalesce(a.run, 0) + 1 END AS run,
        coalesce(l.kept, 0) AS kept, coalesce(l.bytes, 0) AS bytes, coalesce(l.reported, 0) AS reported
      FROM attempts a LEFT JOIN job_logs l ON a.goes_on AND l.job_id = a.job_id AND l.run = a.run AND l.number = a.number
    ), given AS MATERIALIZED (
      SELECT DISTINCT ON (h.job_id, l.number) h.command, b.*, l.*
      FROM held h JOIN before b ON b.job_id = h.job_id
      CROSS JOIN LATERAL json_to_recordset(h.lines) AS l(number integer, age integer, level text, message text, fields text)
      WHERE l.number > b.reported
      ORDER BY h.job_id, l.number, h.command
    ), measured AS MATERIALIZED (
      SELECT g.command, g.job_id, g.lease_id, g.attempt, g.run, g.number, g.age, g.level, g.message, g.fields,
        g.kept + row_number() OVER sofar AS nth,
        g.bytes + sum(octet_length(g.message) + coalesce(octet_length(g.fields), 0)) OVER sofar AS sum_bytes,
        max(g.number) OVER (PARTITION BY g.job_id) AS reported,
        g.number - coalesce(lag(g.number) OVER sofar, g.reported) - 1 AS skipped
      FROM given g
      WINDOW sofar AS (PARTITION BY g.job_id ORDER BY g.number)
    ), fitting AS MATERIALIZED (
      SELECT m.*, max(m.number) OVER (PARTITION BY m.job_id) AS last FROM measured m WHERE m.nth <= most_lines AND m.sum_bytes <= most_bytes
    ), written AS (
      INSERT INTO job_logs (job_id, organization_id, run, number, lease_id, attempt, at, level, message, fields, kept, bytes, reported)
      SELECT f.job_id, org, f.run, f.number, f.lease_id, f.attempt, moment - make_interval(secs => f.age / 1000.0), f.level, f.message,
        f.fields::json, f.nth, f.sum_bytes, CASE WHEN f.number = f.last THEN f.reported ELSE f.number END
      FROM fitting f
    ), counted AS (
      UPDATE job_logs l SET reported = m.reported
      FROM before b JOIN (SELECT DISTINCT job_id, reported FROM measured) AS m ON m.job_id = b.job_id
      WHERE b.goes_on AND l.job_id = b.job_id AND l.run = b.run AND l.number = b.last_kept
        AND NOT b.job_id = ANY (ARRAY(SELECT f.job_id FROM fitting f))
    ), old AS (
      DELETE FROM job_logs l USING before b WHERE NOT b.goes_on AND l.job_id = b.job_id AND l.run <= b.run - most_attempts
    )
    SELECT h.command, NULL::text,
      (SELECT count(*) FROM fitting f WHERE f.command = h.command)::integer,
      (SELECT coalesce(sum(m.skipped + CASE WHEN m.nth <= most_lines AND m.sum_bytes <= most_bytes THEN 0 ELSE 1 END), 0)
       FROM measured m WHERE m.command = h.command)::integer
    FROM held h
    UNION ALL
    SELECT i.command, lease_refusal_v1(org, i.id, i.worker, i.lease, i.scope) ->> 'why', NULL, NULL
    FROM input i WHERE NOT i.command = ANY (ARRAY(SELECT h.command FROM held h));
  END LOOP;
END
$$;
