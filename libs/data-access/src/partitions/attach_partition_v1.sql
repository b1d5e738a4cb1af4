-- Makes a created table the partition of its week. Rows of that week must have left the default partition before.
-- Runs as the owner, because only the owner may create and drop tables; the scheduler may call it.
--
-- Input:
--   parent, week  as for partition_name
CREATE OR REPLACE FUNCTION attach_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  EXECUTE format(
    'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    parent, partition_name(parent, week), uuid_at(week::timestamp AT TIME ZONE 'UTC'), uuid_at((week + 7)::timestamp AT TIME ZONE 'UTC')
  );
END
$$;
REVOKE EXECUTE ON FUNCTION attach_partition_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION attach_partition_v1 TO spooled_system;
