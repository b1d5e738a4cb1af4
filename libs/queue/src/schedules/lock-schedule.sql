/* @name lockSchedule */
-- A schedule to be run now, held until the transaction ends.
SELECT
  queue_name AS "queueName", payload_template AS payload, priority, max_retries AS "maxRetries", timeout_seconds AS "timeoutSeconds",
  tags::text AS tags, settings::text AS settings, current_ts() AS "now!"
FROM schedules WHERE organization_id = :organizationId! AND id = :id!
FOR NO KEY UPDATE;
