/* @name mergeOldStats */
-- Merges counters of hours that no screen asks for any more (older than two days) into one row per queue, so that the table does not
-- grow with time. Totals stay what they were: the row counts from the beginning (hour = epoch, slot = -1).
-- Index: job_stats_oldest, which has only rows that were not merged.
WITH old AS (
  DELETE FROM job_stats s USING (
    SELECT organization_id, queue_name, hour, slot FROM job_stats
    WHERE slot >= 0 AND hour < current_ts() - interval '2 days'
    ORDER BY hour LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) AS chosen
  WHERE s.organization_id = chosen.organization_id AND s.queue_name = chosen.queue_name
    AND s.hour = chosen.hour AND s.slot = chosen.slot
  RETURNING s.*
), merged AS (
  INSERT INTO job_stats (
    organization_id, queue_name, hour, slot, created, completed, retried, deadlettered, cancelled, wait_ms, run_ms)
  SELECT organization_id, queue_name, 'epoch', -1, sum(created)::bigint, sum(completed)::bigint, sum(retried)::bigint,
    sum(deadlettered)::bigint, sum(cancelled)::bigint, sum(wait_ms)::bigint, sum(run_ms)::bigint
  -- In the order of requeues, which write these rows as well.
  FROM old GROUP BY organization_id, queue_name ORDER BY organization_id, queue_name
  ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET
    created = job_stats.created + excluded.created, completed = job_stats.completed + excluded.completed,
    retried = job_stats.retried + excluded.retried, deadlettered = job_stats.deadlettered + excluded.deadlettered,
    cancelled = job_stats.cancelled + excluded.cancelled, wait_ms = job_stats.wait_ms + excluded.wait_ms,
    run_ms = job_stats.run_ms + excluded.run_ms
)
SELECT count(*) AS "merged!" FROM old;
