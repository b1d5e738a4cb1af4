-- The group of a dead letter: a hash of queue, job type and normalized error, the same in every process and release.
--
-- Input:
--   queue
--   job_type
--   error     as a worker reported it
CREATE OR REPLACE FUNCTION dead_letter_group_v1(queue text, job_type text, error text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(substr(sha256(convert_to(queue || E'\x1f' || job_type || E'\x1f' || normalized_error_v1(error), 'UTF8')), 1, 16), 'hex')::uuid
$$;
