/* @name resumeQueue */
-- Resumes a queue, with :onlyExpired if its pause has expired; returns when it was paused, or null when it was not paused.
WITH before AS MATERIALIZED (
  SELECT id, enabled, settings ->> 'paused_at' AS paused_at FROM queue_config
  WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND (NOT :onlyExpired! OR NOT enabled AND pause_expires_at <= current_ts())
  FOR UPDATE
)
UPDATE queue_config c SET
  enabled = true, settings = settings - '{paused,paused_at,paused_reason}'::text[], updated_at = current_ts()
FROM before b WHERE c.id = b.id
RETURNING CASE WHEN NOT b.enabled THEN b.paused_at END AS "paused_at?", NOT b.enabled AS "changed!", current_ts() AS "resumed_at!";
