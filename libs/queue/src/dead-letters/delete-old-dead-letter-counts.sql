/* @name deleteOldDeadLetterCounts */
-- Deletes minutes and hours that no reader asks for any more. Kept longer than count_dead_letters writes them.
-- Relies on dead_letter_counts_oldest.
WITH old AS MATERIALIZED (
  SELECT c.organization_id, c.step, c.group_id, c.at, c.slot
  FROM (VALUES (60, interval '75 minutes'), (3600, interval '27 hours')) AS period (step, kept)
  CROSS JOIN LATERAL (
    SELECT * FROM dead_letter_counts o WHERE o.step > 0 AND o.step = period.step AND o.at < current_ts() - period.kept
    ORDER BY o.step, o.at LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) AS c LIMIT :limit!
), deleted AS (
  DELETE FROM dead_letter_counts c USING old o
  WHERE c.organization_id = o.organization_id AND c.step = o.step AND c.group_id = o.group_id AND c.at = o.at AND c.slot = o.slot
)
SELECT count(*) AS "deleted!" FROM old;

/* @name deleteEmptyDeadLetterGroups */
-- Deletes the totals of groups without dead letters. What is deleted is locked and adds up to nothing, so no total changes,
-- also for statements that count meanwhile. Reads every total: 0.2 s for a million groups.
WITH empty AS MATERIALIZED (
  SELECT organization_id, group_id FROM dead_letter_counts WHERE step = 0
  GROUP BY organization_id, group_id HAVING sum(jobs) = 0 LIMIT :limit!
), locked AS MATERIALIZED (
  SELECT c.organization_id, c.group_id, c.slot, c.jobs
  FROM empty e JOIN dead_letter_counts c ON c.organization_id = e.organization_id AND c.step = 0 AND c.group_id = e.group_id
  FOR UPDATE OF c SKIP LOCKED
), whole AS MATERIALIZED (
  SELECT organization_id, group_id FROM locked GROUP BY organization_id, group_id HAVING sum(jobs) = 0
), deleted AS (
  DELETE FROM dead_letter_counts c USING locked l JOIN whole w USING (organization_id, group_id)
  WHERE c.organization_id = l.organization_id AND c.step = 0 AND c.group_id = l.group_id AND c.slot = l.slot
)
SELECT count(*) AS "deleted!" FROM whole;
