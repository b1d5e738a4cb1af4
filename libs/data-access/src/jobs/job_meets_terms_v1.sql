-- Whether a job meets the terms of a search that its record alone can answer. A function of its own, because lists and operations share it.
--
-- Input:
--   id, queue, status, type, tags, payload, error, worker, key  of the record, as job_records shows it. Not a row of the view: PostgreSQL would
--          read the payload and the result of each job to make one.
--   terms  {queues, statuses, types, workers, keys, words, tags: [{name, value}], payload: [{path, value}], errors}, as parseJobSearch reads them;
--          absent or null = any
-- PL/pgSQL with loops, which evaluates expressions without subqueries directly: 4 to 11 µs for a job. As one expression with subqueries each
-- call started a statement: 40 to 50 µs.
-- Documents without escapes are read directly: a block that catches errors costs a subtransaction.
CREATE OR REPLACE FUNCTION job_meets_terms_v1(
  id uuid, queue text, status text, type text, tags jsonb, payload json, error text, worker text, key text, terms jsonb) RETURNS boolean
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  list jsonb;
  term jsonb;
  path text[];
  found text;
BEGIN
  IF NOT coalesce(
    (coalesce(terms -> 'queues', 'null') = 'null' OR terms -> 'queues' ? queue)
    AND (coalesce(terms -> 'statuses', 'null') = 'null' OR terms -> 'statuses' ? status)
    AND (coalesce(terms -> 'types', 'null') = 'null' OR terms -> 'types' ? type)
    AND (coalesce(terms -> 'workers', 'null') = 'null' OR terms -> 'workers' ? worker)
    AND (coalesce(terms -> 'keys', 'null') = 'null' OR terms -> 'keys' ? key), false)
  THEN
    RETURN false;
  END IF;
  list := terms -> 'words';
  FOR i IN 0 .. coalesce(jsonb_array_length(list), 0) - 1 LOOP
    IF NOT coalesce(job_matches_v1(id, queue, type, NULL, NULL, NULL, list ->> i), false) THEN
      RETURN false;
    END IF;
  END LOOP;
  list := terms -> 'errors';
  FOR i IN 0 .. coalesce(jsonb_array_length(list), 0) - 1 LOOP
    IF strpos(lower(coalesce(error, '')), lower(list ->> i)) = 0 THEN
      RETURN false;
    END IF;
  END LOOP;
  list := terms -> 'tags';
  FOR i IN 0 .. coalesce(jsonb_array_length(list), 0) - 1 LOOP
    term := list -> i;
    IF NOT coalesce(CASE WHEN term ->> 'value' IS NULL THEN tags ? (term ->> 'name') ELSE tags ->> (term ->> 'name') = term ->> 'value' END, false)
    THEN
      RETURN false;
    END IF;
  END LOOP;
  list := terms -> 'payload';
  FOR i IN 0 .. coalesce(jsonb_array_length(list), 0) - 1 LOOP
    term := list -> i;
    path := '{}';
    FOR j IN 0 .. jsonb_array_length(term -> 'path') - 1 LOOP
      path := path || (term -> 'path' ->> j);
    END LOOP;
    IF strpos(payload::text, '\u') > 0 THEN
      found := job_document_text_v1(payload, path);
    ELSE
      found := payload #>> path;
    END IF;
    IF found IS DISTINCT FROM term ->> 'value' THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END
$$;
