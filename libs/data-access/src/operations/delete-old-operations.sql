/* @name deleteOldOperations */
-- Deletes operations that ended long ago, with their items, whether or not their organization still exists.
WITH old AS (
  SELECT id FROM operations WHERE ended_at < current_ts() - make_interval(days => :days!) AND next_step_at IS NULL LIMIT :limit!
), removed AS (
  DELETE FROM operations o USING old WHERE o.id = old.id RETURNING o.id
)
SELECT count(*) AS "deleted!" FROM removed;
