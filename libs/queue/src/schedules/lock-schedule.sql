-- A schedule to be run now, held until the transaction ends. $1 organization, $2 schedule.
SELECT
  queue_name, payload_template AS payload, priority, max_retries, timeout_seconds, tags::text AS tags, now() AS now
FROM schedules WHERE organization_id = $1 AND id = $2
FOR NO KEY UPDATE
