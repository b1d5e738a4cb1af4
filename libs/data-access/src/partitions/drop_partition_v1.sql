-- Drops the table of a week. Refuses one that is still attached.
-- Runs as the owner, because only the owner may create and drop tables; the scheduler may call it.
--
-- Input:
--   parent, week  as for partition_name
CREATE OR REPLACE FUNCTION drop_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  child name := partition_name(parent, week);
BEGIN
  IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = child::regclass) THEN
    RAISE EXCEPTION 'partition % is still attached', child;
  END IF;
  -- Left by a compaction that was not finished.
  EXECUTE format('DROP TABLE IF EXISTS %I', child || '_kept');
  EXECUTE format('DROP TABLE %I', child);
END
$$;
REVOKE EXECUTE ON FUNCTION drop_partition_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_partition_v1 TO spooled_system;
