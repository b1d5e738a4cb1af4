-- The group of a dead letter: a hash of queue, job type and normalized error as a UUID (version 8), the same in every process and
-- release.
--
-- Input:
--   queue
--   job_type
--   error     as a worker reported it
CREATE OR REPLACE FUNCTION dead_letter_group_v1(queue text, job_type text, error text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid
  FROM substr(sha256(convert_to(queue || E'\x1f' || job_type || E'\x1f' || normalized_error_v1(error), 'UTF8')), 1, 16) AS h
$$;
