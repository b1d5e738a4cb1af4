-- Whether a record matches the text filters of a job list; null = any. One expression, so that PostgreSQL puts it into the statement that
-- calls it and leaves out what is null.
--
-- Input:
--   id, queue, type, tags  of the record
--   tag          top-level key of an object, element of an array, or the whole text
--   wanted_type  equal to the job type
--   part         start of the id, or part of the queue name or job type, in any case
CREATE OR REPLACE FUNCTION job_matches_v1(
  id uuid, queue text, type text, tags jsonb, tag text, wanted_type text, part text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (tag IS NULL OR tags ? tag)
    AND (wanted_type IS NULL OR type = wanted_type)
    AND (part IS NULL OR starts_with(id::text, lower(part)) OR strpos(lower(queue), lower(part)) > 0 OR strpos(lower(type), lower(part)) > 0);
