-- Weekly partitions of jobs and job_history. Creating and dropping tables is the owner's right, so the scheduler (spooled_system)
-- asks these functions, which run as the owner and do only this. Rows are moved by the caller under its own rights.

-- The smallest UUIDv7 of a moment.
CREATE FUNCTION uuid_at(moment timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- jobs or job_history plus the Monday that a partition starts with. Refuses any other table.
CREATE FUNCTION partition_name(parent text, week date) RETURNS name
  LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  IF parent NOT IN ('jobs', 'job_history') THEN
    RAISE EXCEPTION 'not a partitioned table of ours: %', parent;
  END IF;
  RETURN format('%s_p%s', parent, to_char(week, 'YYYYMMDD'));
END
$$;

-- Creates the table of one week, isolated like its parent but not yet attached. False when it exists already.
CREATE FUNCTION create_partition_v1(parent text, week date) RETURNS boolean
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

CREATE FUNCTION attach_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  EXECUTE format(
    'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    parent, partition_name(parent, week), uuid_at(week::timestamp AT TIME ZONE 'UTC'), uuid_at((week + 7)::timestamp AT TIME ZONE 'UTC')
  );
END
$$;

-- The caller then moves what must stay (it is routed to the default partition) and drops the rest.
CREATE FUNCTION detach_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, partition_name(parent, week));
END
$$;

CREATE FUNCTION drop_partition_v1(parent text, week date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  child name := partition_name(parent, week);
BEGIN
  IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = child::regclass) THEN
    RAISE EXCEPTION 'partition % is still attached', child;
  END IF;
  EXECUTE format('DROP TABLE %I', child);
END
$$;

-- The weeks that exist and are attached, oldest first.
CREATE FUNCTION list_partitions_v1(parent text) RETURNS SETOF date
  LANGUAGE sql STABLE
AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD')
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent::regclass AND c.relname ~ '_p[0-9]{8}$'
  ORDER BY 1
$$;

REVOKE EXECUTE ON FUNCTION create_partition_v1, attach_partition_v1, detach_partition_v1, drop_partition_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_partition_v1, attach_partition_v1, detach_partition_v1, drop_partition_v1 TO spooled_system;

-- Last week (a clock may lag), this one and four more; the scheduler goes on from here.
DO $$
DECLARE
  first date := date_trunc('week', now() AT TIME ZONE 'UTC')::date - 7;
BEGIN
  FOR i IN 0..5 LOOP
    PERFORM create_partition_v1('jobs', first + i * 7), create_partition_v1('job_history', first + i * 7);
    PERFORM attach_partition_v1('jobs', first + i * 7), attach_partition_v1('job_history', first + i * 7);
  END LOOP;
END
$$;
