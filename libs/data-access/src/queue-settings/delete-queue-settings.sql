/* @name deleteQueueSettings */
WITH bucket AS (
  DELETE FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!
), contract AS (
  DELETE FROM payload_contracts WHERE organization_id = :organizationId! AND queue_name = :queueName!
)
DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!;
