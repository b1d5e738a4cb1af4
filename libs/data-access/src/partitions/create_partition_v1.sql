-- Creates the table of one week, isolated like its parent and not yet attached.
-- Runs as the owner, because only the owner may create and drop tables; the scheduler may call it.
--
-- Input:
--   parent, week  as for partition_name
-- Output: false when the table exists already
CREATE OR REPLACE FUNCTION create_partition_v1(parent text, week date) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  child name := partition_name(parent, week);
BEGIN
  IF to_regclass(child) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', child, parent);
  IF parent = 'jobs' THEN
    -- The one update of a record, when its job ends, finds room on its own page and touches no index.
    EXECUTE format('ALTER TABLE %I SET (fillfactor = 50)', child);
  END IF;
  PERFORM protect_tenant_table(child::regclass);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION create_partition_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_partition_v1 TO spooled_system;
