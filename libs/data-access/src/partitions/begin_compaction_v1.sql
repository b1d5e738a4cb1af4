-- Creates an empty table beside the jobs of a past week, isolated like its parent, and a trigger that repeats changes of the partition in
-- it. The caller copies the jobs to keep in small steps and then calls finish_compaction_v1.
-- Runs as the owner, because only the owner may create tables; the scheduler may call it.
--
-- Input:
--   week  as for partition_name
-- Output: false when an earlier run has created the table
CREATE OR REPLACE FUNCTION begin_compaction_v1(week date) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  partition name := partition_name('jobs', week);
  kept name := partition || '_kept';
BEGIN
  IF to_regclass(kept) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE jobs INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES) WITH (fillfactor = 50)', kept);
  -- Attaching the table then needs no scan.
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT week CHECK (id >= %L AND id < %L)', kept,
    uuid_at(week::timestamp AT TIME ZONE 'UTC'), uuid_at((week + 7)::timestamp AT TIME ZONE 'UTC'));
  PERFORM protect_tenant_table(kept::regclass);
  EXECUTE format('CREATE TRIGGER mirror AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION mirror_partition_row(%L)',
    partition, kept);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION begin_compaction_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_compaction_v1 TO spooled_system;
