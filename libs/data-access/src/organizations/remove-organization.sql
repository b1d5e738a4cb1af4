/* @name removeOrganization */
-- Deletes the current organization; the only statement in which the gateway deletes rows that other services write. Row-level
-- security restricts each part to the organization. Keys, queue settings, schedules, workflows and webhooks are deleted by cascade.
WITH
  a AS (DELETE FROM jobs WHERE created_at > '-infinity'),
  b AS (DELETE FROM job_queue),
  c AS (DELETE FROM idempotency_keys),
  d AS (DELETE FROM dead_letters),
  e AS (DELETE FROM job_history),
  f AS (DELETE FROM job_dependencies),
  g AS (DELETE FROM queues),
  h AS (DELETE FROM job_stats),
  i AS (DELETE FROM usage_counters),
  j AS (DELETE FROM workers),
  k AS (DELETE FROM webhook_deliveries),
  l AS (DELETE FROM inbound_deliveries)
DELETE FROM organizations;
