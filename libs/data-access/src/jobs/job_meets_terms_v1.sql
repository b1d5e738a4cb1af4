-- Whether a job meets the terms of a search that its record alone can answer. A function of its own, because lists and operations share it.
--
-- Input:
--   id, queue, status, type, tags, payload, error, worker, key  of the record, as job_records shows it. Not a row of the view: PostgreSQL would
--          read the payload and the result of each job to make one.
--   terms  {queues, statuses, types, workers, keys, words, tags: [{name, value}], payload: [{path, value}], errors}, as parseJobSearch reads them;
--          absent or null = any
-- Documents without escapes are read directly: a block that catches errors costs a subtransaction.
CREATE OR REPLACE FUNCTION job_meets_terms_v1(
  id uuid, queue text, status text, type text, tags jsonb, payload json, error text, worker text, key text, terms jsonb) RETURNS boolean
  LANGUAGE sql STABLE
  RETURN coalesce(
    (coalesce(terms -> 'queues', 'null') = 'null' OR terms -> 'queues' ? queue)
    AND (coalesce(terms -> 'statuses', 'null') = 'null' OR terms -> 'statuses' ? status)
    AND (coalesce(terms -> 'types', 'null') = 'null' OR terms -> 'types' ? type)
    AND (coalesce(terms -> 'workers', 'null') = 'null' OR terms -> 'workers' ? worker)
    AND (coalesce(terms -> 'keys', 'null') = 'null' OR terms -> 'keys' ? key)
    AND NOT EXISTS (
      SELECT FROM jsonb_array_elements_text(terms -> 'words') AS word
      WHERE NOT job_matches_v1(id, queue, type, NULL, NULL, NULL, word))
    AND NOT EXISTS (
      SELECT FROM jsonb_array_elements_text(terms -> 'errors') AS part
      WHERE strpos(lower(coalesce(error, '')), lower(part)) = 0)
    AND NOT EXISTS (
      SELECT FROM jsonb_to_recordset(terms -> 'tags') AS tag (name text, value text)
      WHERE NOT coalesce(CASE WHEN tag.value IS NULL THEN tags ? tag.name ELSE tags ->> tag.name = tag.value END, false))
    AND NOT EXISTS (
      SELECT FROM jsonb_to_recordset(terms -> 'payload') AS member (path jsonb, value text)
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT jsonb_array_elements_text(member.path)) AS path) AS at
      WHERE CASE WHEN strpos(payload::text, '\u') > 0 THEN job_document_text_v1(payload, at.path) ELSE payload #>> at.path END
        IS DISTINCT FROM member.value),
    false);
