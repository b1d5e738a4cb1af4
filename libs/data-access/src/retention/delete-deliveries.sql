/* @name deleteDeliveries */
-- Deletes finished deliveries after the retention period of their organization.
-- :days retention period of each of :organizationIds.
-- Index: webhook_deliveries_oldest.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT d.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM webhook_deliveries
    WHERE organization_id = h.org AND created_at < h.oldest AND next_attempt_at IS NULL LIMIT :limit!
  ) d LIMIT :limit!
), removed AS (
  DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id AND d.next_attempt_at IS NULL RETURNING d.id
)
SELECT count(*) AS "deleted!" FROM removed;
