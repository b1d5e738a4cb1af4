-- Which of the locked jobs each claim gets, within bytes of payloads. A claim gets no more jobs once it has max_bytes: they are in memory
-- on their whole way, and 30 of 1 MB kept the claims of all organizations in the transaction waiting for 2.5 s. A claim that finds
-- `budget` used up by those before it is put off. Jobs that no claim gets stay as they are.
--
-- Input:
--   ids     locked jobs of the current organization, in the order in which they are granted
--   claims  as for claim_jobs_v1: the first claim gets the first max_jobs of them, and so on
--   budget  bytes of payloads, for all these claims
-- Output:
--   granted   those of the jobs that a claim gets, in their order
--   commands  the claim of each
--   put_off   claims that get none
--   bytes     of the payloads of `granted`
CREATE OR REPLACE FUNCTION fit_claims_v1(ids uuid[], claims json, budget bigint,
  OUT granted uuid[], OUT commands integer[], OUT put_off integer[], OUT bytes bigint)
  LANGUAGE plpgsql STABLE SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_material = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  sorted uuid[] := ARRAY(SELECT id FROM unnest(ids) AS id ORDER BY id);
  smallest integer;
  all_stored_as_text boolean;
BEGIN
  SELECT min(c.max_bytes), (array_agg(c.command ORDER BY c.command, seat))[1:cardinality(ids)] INTO smallest, commands
  FROM json_to_recordset(claims) AS c(command integer, max_jobs integer, max_bytes integer) CROSS JOIN generate_series(1, c.max_jobs) AS seat;
  granted := ids;
  put_off := '{}';

  -- Usually everything fits. The stored size is known without reading the payload, and is that of the text unless it is compressed.
  SELECT sum(pg_column_size(j.payload)), bool_and(pg_column_compression(j.payload) IS NULL) INTO bytes, all_stored_as_text
  -- The range as well: partitions are left out by comparison, not by membership in an array.
  FROM jobs j WHERE j.id = ANY (ids) AND j.id BETWEEN sorted[1] AND sorted[cardinality(sorted)];
  IF all_stored_as_text AND bytes <= least(smallest, budget) THEN
    RETURN;
  END IF;

  WITH found AS MATERIALIZED (
    SELECT r.place, r.id, r.command, c.max_bytes,
      -- At most that of the text, apart from a header: 100 payloads of 1 MB cost 0.8 s to read, for a claim that gets 8 of them.
      (SELECT pg_column_size(j.payload) - 4 FROM jobs j WHERE j.id = r.id) AS stored
    FROM ROWS FROM (unnest(ids), unnest(commands)) WITH ORDINALITY AS r(id, command, place)
    JOIN json_to_recordset(claims) AS c(command integer, max_bytes integer) USING (command)
  ), near AS (
    SELECT f.*, coalesce(sum(f.stored) OVER claims_before, 0) < budget AS may_begin
    FROM (SELECT *, sum(stored) OVER jobs_before AS stored_before FROM found WINDOW jobs_before AS (
      PARTITION BY command ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS f
    WHERE f.stored_before IS NULL OR f.stored_before < f.max_bytes
    WINDOW claims_before AS (ORDER BY command GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), sized AS MATERIALIZED (
    SELECT *, CASE WHEN may_begin THEN (SELECT octet_length(j.payload::text) FROM jobs j WHERE j.id = near.id) END AS length
    FROM near
  ), fitting AS MATERIALIZED (
    SELECT s.*, may_begin AND coalesce(sum(s.length) OVER claims_before, 0) < budget AS begins
    FROM (SELECT *, sum(length) OVER jobs_before AS length_before FROM sized WINDOW jobs_before AS (
      PARTITION BY command ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS s
    WHERE s.length_before IS NULL OR s.length_before < s.max_bytes
    WINDOW claims_before AS (ORDER BY command GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  )
  SELECT coalesce(array_agg(f.id ORDER BY f.place) FILTER (WHERE f.begins), '{}'),
    coalesce(array_agg(f.command ORDER BY f.place) FILTER (WHERE f.begins), '{}'),
    coalesce(array_agg(DISTINCT f.command) FILTER (WHERE NOT f.begins), '{}'), coalesce(sum(f.length) FILTER (WHERE f.begins), 0)
  INTO granted, commands, put_off, bytes FROM fitting f;
END
$$;
