-- The name of a partition: its table and the Monday that its week starts with.
--
-- Input:
--   parent  'jobs' or 'job_history'; refuses any other table, so that no function that runs as the owner can touch one
--   week    a Monday
CREATE OR REPLACE FUNCTION partition_name(parent text, week date) RETURNS name
  LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  IF parent NOT IN ('jobs', 'job_history') THEN
    RAISE EXCEPTION 'not a partitioned table: %', parent;
  END IF;
  RETURN format('%s_p%s', parent, to_char(week, 'YYYYMMDD'));
END
$$;
