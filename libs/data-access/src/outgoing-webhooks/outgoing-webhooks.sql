/* @name countEnabledWebhooks */
SELECT count(*) AS "enabled!" FROM outgoing_webhooks WHERE organization_id = :organizationId! AND enabled;

/* @name listWebhooks */
-- Newest first: ids are made in the order of creation.
SELECT id, organization_id, name, url, events, format, secret, enabled, failure_count, last_triggered_at, last_status, retry_seconds, failing_since,
  created_at, updated_at, CASE WHEN previous_secret_until > current_ts() THEN previous_secret_until END AS "rotation_ends_at?",
  held_since, CASE WHEN held_since IS NOT NULL THEN probe_at END AS "next_probe_at?", dropped_count, dropped_at
FROM outgoing_webhooks WHERE organization_id = :organizationId! AND (:afterId::uuid IS NULL OR id < :afterId)
ORDER BY id DESC LIMIT :limit! OFFSET :offset!;

/* @name findWebhook */
SELECT id, organization_id, name, url, events, format, secret, enabled, failure_count, last_triggered_at, last_status, retry_seconds, failing_since,
  created_at, updated_at, CASE WHEN previous_secret_until > current_ts() THEN previous_secret_until END AS "rotation_ends_at?",
  held_since, CASE WHEN held_since IS NOT NULL THEN probe_at END AS "next_probe_at?", dropped_count, dropped_at
FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = :id!;

/* @name insertWebhook */
INSERT INTO outgoing_webhooks (organization_id, name, url, events, format, secret, enabled, retry_seconds)
VALUES (:organizationId!, :name!, :url!, :events!, :format!, :secret, :enabled!, :retry_seconds)
RETURNING id, organization_id, name, url, events, format, secret, enabled, failure_count, last_triggered_at, last_status, retry_seconds, failing_since,
  created_at, updated_at, CASE WHEN previous_secret_until > current_ts() THEN previous_secret_until END AS "rotation_ends_at?",
  held_since, CASE WHEN held_since IS NOT NULL THEN probe_at END AS "next_probe_at?", dropped_count, dropped_at;

/* @name changeWebhook */
-- :changes members by the names of the columns; absent ones are unchanged. Enabling a webhook resets its failures; otherwise the next
-- one would disable it again. Where deliveries are held, disabling or enabling releases them, and any other change is probed at once. Another secret replaces the previous one of a rotation as well.
UPDATE outgoing_webhooks w SET
  (name, url, events, format, secret, enabled, retry_seconds) = (
    SELECT c.name, c.url, c.events, c.format, c.secret, c.enabled, c.retry_seconds FROM jsonb_populate_record(w, :changes!::jsonb) c
  ),
  failure_count = CASE WHEN (:changes::jsonb ->> 'enabled')::boolean THEN 0 ELSE failure_count END,
  failing_since = CASE WHEN (:changes::jsonb ->> 'enabled')::boolean THEN NULL ELSE failing_since END,
  previous_secret = CASE WHEN :changes::jsonb ? 'secret' AND :changes::jsonb ->> 'secret' IS DISTINCT FROM secret THEN NULL ELSE previous_secret END,
  previous_secret_until = CASE WHEN :changes::jsonb ? 'secret' AND :changes::jsonb ->> 'secret' IS DISTINCT FROM secret THEN NULL ELSE previous_secret_until END,
  held_since = CASE WHEN :changes::jsonb ? 'enabled' THEN NULL ELSE held_since END,
  probe_at = CASE WHEN held_since IS NOT NULL THEN current_ts() END,
  updated_at = current_ts()
WHERE organization_id = :organizationId! AND id = :id!
RETURNING id, organization_id, name, url, events, format, secret, enabled, failure_count, last_triggered_at, last_status, retry_seconds, failing_since,
  created_at, updated_at, CASE WHEN previous_secret_until > current_ts() THEN previous_secret_until END AS "rotation_ends_at?",
  held_since, CASE WHEN held_since IS NOT NULL THEN probe_at END AS "next_probe_at?", dropped_count, dropped_at;

/* @name rotateSecret */
-- The secret so far stays valid for :validSeconds as the previous one; 0 = not at all. During a rotation the previous one stays and only
-- the new one is replaced, so that a rotation whose response was lost can be repeated.
UPDATE outgoing_webhooks SET
  previous_secret = CASE WHEN :validSeconds! = 0 THEN NULL WHEN previous_secret_until > current_ts() THEN previous_secret ELSE secret END,
  previous_secret_until = CASE
    WHEN :validSeconds! > 0 AND (secret IS NOT NULL OR previous_secret_until > current_ts())
    THEN current_ts() + make_interval(secs => :validSeconds!) END,
  secret = :secret!, updated_at = current_ts()
WHERE organization_id = :organizationId! AND id = :id!
RETURNING id, organization_id, name, url, events, format, secret, enabled, failure_count, last_triggered_at, last_status, retry_seconds, failing_since,
  created_at, updated_at, CASE WHEN previous_secret_until > current_ts() THEN previous_secret_until END AS "rotation_ends_at?",
  held_since, CASE WHEN held_since IS NOT NULL THEN probe_at END AS "next_probe_at?", dropped_count, dropped_at;

/* @name deleteWebhook */
-- Its last deliveries go with it, once deleteDeliveriesOfWebhook has left few.
DELETE FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = :id! RETURNING id;
