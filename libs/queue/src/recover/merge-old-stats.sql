/* @name mergeOldStats */
-- Merges counters of hours that no screen asks for any more (older than two days) into one row per queue, so that the table does not
-- grow with time. Totals stay what they were: the row counts from the beginning (hour = epoch, slot = -1). Waits for no row: counters of
-- a queue whose total another transaction holds are left for a later run.
-- Index: job_stats_oldest, which has only rows that were not merged.
WITH chosen AS MATERIALIZED (
  SELECT organization_id, queue_name, hour, slot FROM job_stats
  WHERE slot >= 0 AND hour < current_ts() - interval '2 days'
  ORDER BY hour LIMIT :limit! FOR UPDATE SKIP LOCKED
), held AS MATERIALIZED (
  SELECT q.organization_id, q.queue_name
  FROM (SELECT DISTINCT organization_id, queue_name FROM chosen) AS q
  LEFT JOIN LATERAL (
    SELECT true AS is_locked FROM job_stats
    WHERE organization_id = q.organization_id AND queue_name = q.queue_name AND hour = 'epoch' AND slot = -1
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS total ON true
  WHERE total.is_locked IS NULL AND EXISTS (
    SELECT FROM job_stats WHERE organization_id = q.organization_id AND queue_name = q.queue_name AND hour = 'epoch' AND slot = -1)
), old AS (
  DELETE FROM job_stats s USING chosen
  WHERE s.organization_id = chosen.organization_id AND s.queue_name = chosen.queue_name
    AND s.hour = chosen.hour AND s.slot = chosen.slot
    AND NOT EXISTS (SELECT FROM held h WHERE h.organization_id = s.organization_id AND h.queue_name = s.queue_name)
  RETURNING s.*
), merged AS (
  INSERT INTO job_stats (
    organization_id, queue_name, hour, slot, created, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms)
  SELECT organization_id, queue_name, 'epoch', -1, sum(created)::bigint, sum(completed)::bigint, sum(retried)::bigint,
    sum(deadlettered)::bigint, sum(expired)::bigint, sum(cancelled)::bigint, sum(wait_ms)::bigint, sum(run_ms)::bigint
  -- In the order of requeues, which write these rows as well.
  FROM old GROUP BY organization_id, queue_name ORDER BY organization_id, queue_name
  ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET
    created = job_stats.created + excluded.created, completed = job_stats.completed + excluded.completed,
    retried = job_stats.retried + excluded.retried, deadlettered = job_stats.deadlettered + excluded.deadlettered,
    expired = job_stats.expired + excluded.expired, cancelled = job_stats.cancelled + excluded.cancelled,
    wait_ms = job_stats.wait_ms + excluded.wait_ms, run_ms = job_stats.run_ms + excluded.run_ms
)
SELECT count(*) AS "merged!" FROM old;
