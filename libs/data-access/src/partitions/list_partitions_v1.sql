-- The weeks that have an attached partition, oldest first.
--
-- Input:
--   parent  'jobs' or 'job_history'
CREATE OR REPLACE FUNCTION list_partitions_v1(parent text) RETURNS SETOF date
  LANGUAGE sql STABLE
AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD')
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent::regclass AND c.relname ~ '_p[0-9]{8}$'
  ORDER BY 1
$$;
