-- $1 organization, $2 id, then what the caller wrote, then the next run.
INSERT INTO schedules (
  organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
  timeout_seconds, is_active, tags, metadata, next_run_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING {columns}
