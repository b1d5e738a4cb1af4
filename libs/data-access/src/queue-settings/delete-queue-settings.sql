/* @name deleteQueueSettings */
-- Deletes the settings of a queue, and records the deletion of the queue in the audit log: what its trigger would record, and the
-- number of deleted :jobs; null: they are deleted later.
WITH bucket AS (
  DELETE FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!
), contract AS (
  DELETE FROM payload_contracts WHERE organization_id = :organizationId! AND queue_name = :queueName!
), deleted AS (
  DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!
  RETURNING max_retries, default_timeout, rate_limit, enabled, settings, pause_expires_at
)
SELECT record_audit_v1(:organizationId!, 'queue.deleted', 'queue', :queueName!,
  coalesce((SELECT to_jsonb(d) FROM deleted d), '{}') || jsonb_build_object('jobs', :jobs::int), NULL) AS done;
