/* @name resumeQueue */
-- Resumes a queue, with :onlyExpired if its pause has expired; returns when it was paused, or null when it was not paused.
UPDATE queue_config SET
  enabled = true, settings = settings - '{paused,paused_at,paused_reason}'::text[], updated_at = current_ts()
WHERE organization_id = :organizationId! AND queue_name = :queueName!
  AND (NOT :onlyExpired! OR NOT enabled AND pause_expires_at <= current_ts())
RETURNING CASE WHEN NOT old.enabled THEN old.settings ->> 'paused_at' END AS paused_at, NOT old.enabled AS "changed!",
  current_ts() AS "resumed_at!";
