/* @name deleteInboundDeliveries */
-- Deletes the log of inbound webhooks after the retention period of its organization.
-- :days retention period of each of :organizationIds.
-- Index: inbound_deliveries_newest.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT d.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM inbound_deliveries WHERE organization_id = h.org AND created_at < h.oldest LIMIT :limit!
  ) d LIMIT :limit!
), removed AS (
  DELETE FROM inbound_deliveries d USING old WHERE d.id = old.id RETURNING d.id
)
SELECT count(*) AS "deleted!" FROM removed;
