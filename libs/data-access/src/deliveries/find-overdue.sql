/* @name findOverdue */
-- Deliveries that are overdue, of :organizations organizations after :afterOrganization. They take turns, each its oldest first; where few
-- are overdue, each gets more of :limit. `is_last`: no organization follows.
-- Index: webhook_deliveries_due, one look per organization with unfinished deliveries.
WITH RECURSIVE owner AS (
  (SELECT organization_id, next_attempt_at FROM webhook_deliveries
   WHERE next_attempt_at IS NOT NULL AND organization_id > :afterOrganization!::uuid ORDER BY organization_id, next_attempt_at LIMIT 1)
  UNION ALL
  SELECT following.organization_id, following.next_attempt_at FROM owner o CROSS JOIN LATERAL (
    SELECT organization_id, next_attempt_at FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND organization_id > o.organization_id ORDER BY organization_id, next_attempt_at LIMIT 1
  ) AS following
), late AS MATERIALIZED (
  SELECT organization_id FROM owner WHERE next_attempt_at <= current_ts() - make_interval(secs => :bySeconds!) LIMIT :organizations!
), found AS (
  SELECT d.id, o.organization_id, d.next_attempt_at,
    row_number() OVER (PARTITION BY o.organization_id ORDER BY d.next_attempt_at, d.id) AS turn
  FROM late o CROSS JOIN LATERAL (
    SELECT id, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = o.organization_id AND next_attempt_at <= current_ts() - make_interval(secs => :bySeconds!)
    ORDER BY next_attempt_at, id LIMIT :limit!::bigint / (SELECT greatest(1, count(*)) FROM late)
  ) AS d
)
SELECT id AS "id!", organization_id AS "organization_id!", (SELECT count(*) < :organizations! FROM late) AS "is_last!"
FROM found ORDER BY turn, next_attempt_at, id;
