-- Detaches the partition of a week. The caller then moves what must stay, which is routed to the default partition, and drops the
-- rest. Runs as the owner, because only the owner may create and drop tables; the scheduler may call it.
--
-- Input:
--   parent, week  as for partition_name
CREATE OR REPLACE FUNCTION detach_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, partition_name(parent, week));
END
$$;
REVOKE EXECUTE ON FUNCTION detach_partition_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION detach_partition_v1 TO spooled_system;
