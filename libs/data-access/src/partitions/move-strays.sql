-- Moves the rows of one week out of the default partition: ids from a clock that ran ahead. The caller holds the lock on it.
--   $1 Monday · names filled in: default_partition, week_partition
WITH strays AS (
  DELETE FROM default_partition
  WHERE id >= uuid_at($1::date::timestamp AT TIME ZONE 'UTC') AND id < uuid_at(($1::date + 7)::timestamp AT TIME ZONE 'UTC')
  RETURNING *
), moved AS (
  INSERT INTO week_partition SELECT * FROM strays RETURNING 1
)
SELECT count(*) AS moved FROM moved
