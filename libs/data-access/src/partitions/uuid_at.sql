-- The smallest UUIDv7 of a moment: ids of jobs begin with the time of their creation, and partitions are bounded by it.
CREATE OR REPLACE FUNCTION uuid_at(moment timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
