-- Replaces the jobs of a week by the table that begin_compaction_v1 created and the caller has filled. The parent is locked for the
-- moment of the exchange, which moves no row.
-- Runs as the owner, because only the owner may create and drop tables; the scheduler may call it.
--
-- Input:
--   week  as for partition_name
CREATE OR REPLACE FUNCTION finish_compaction_v1(week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  partition name := partition_name('jobs', week);
  kept name := partition || '_kept';
BEGIN
  EXECUTE format('ALTER TABLE jobs DETACH PARTITION %I', partition);
  EXECUTE format('DROP TABLE %I', partition);
  EXECUTE format('ALTER TABLE %I RENAME TO %I', kept, partition);
  PERFORM attach_partition_v1('jobs', week);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT week', partition);
END
$$;
REVOKE EXECUTE ON FUNCTION finish_compaction_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_compaction_v1 TO spooled_system;
