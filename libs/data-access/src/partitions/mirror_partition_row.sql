-- Trigger of a partition that is being compacted: repeats each change in the new table, whose name is its argument. Runs as the role that
-- makes the change, under the same policies.
CREATE OR REPLACE FUNCTION mirror_partition_row() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    EXECUTE format('DELETE FROM %I WHERE id = $1', TG_ARGV[0]) USING OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format('INSERT INTO %I SELECT ($1).*', TG_ARGV[0]) USING NEW;
  END IF;
  RETURN NULL;
END
$$;
