-- Parameters as in insert-schedule.sql.
UPDATE schedules SET
  name = $3, description = $4, cron_expression = $5, timezone = $6, queue_name = $7, payload_template = $8, priority = $9,
  max_retries = $10, timeout_seconds = $11, is_active = $12, tags = $13, metadata = $14, next_run_at = $15,
  -- Also within one transaction's time: the scheduler must see that the schedule is not the one that it has read.
  updated_at = greatest(now(), updated_at + interval '1 microsecond')
WHERE organization_id = $1 AND id = $2
RETURNING {columns}
