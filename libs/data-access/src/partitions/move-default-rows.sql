-- Moves the rows of one week out of the default partition, whose ids come from a clock that ran ahead. The caller holds its lock.
--   $1 Monday · replaced: default_partition, week_partition
WITH moving AS (
  DELETE FROM default_partition
  WHERE id >= uuid_at($1::date::timestamp AT TIME ZONE 'UTC') AND id < uuid_at(($1::date + 7)::timestamp AT TIME ZONE 'UTC')
  RETURNING *
), moved AS (
  INSERT INTO week_partition SELECT * FROM moving RETURNING 1
)
SELECT count(*) AS moved FROM moved
