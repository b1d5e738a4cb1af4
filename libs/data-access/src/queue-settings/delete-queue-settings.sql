/* @name deleteQueueSettings */
DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!;
