-- The cause of a dead letter: a hash of its normalized error as a UUID (version 8), the same in every process and release. Groups of one
-- cause differ by queue or job type.
--
-- Input:
--   error  as a worker reported it
CREATE OR REPLACE FUNCTION dead_letter_cause_v1(error text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid
  FROM substr(sha256(convert_to('cause' || E'\x1f' || normalized_error_v1(error), 'UTF8')), 1, 16) AS h
$$;
