/* @name findPushingQueues */
-- Those of :queueNames whose jobs are pushed. Index: queue_config_organization_id_queue_name_key.
SELECT queue_name FROM queue_config
WHERE organization_id = :organizationId! AND queue_name = ANY (:queueNames!)
  AND (settings -> 'push' = 'true' OR jsonb_typeof(settings -> 'callback_url') = 'string');
