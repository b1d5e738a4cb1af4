-- One page of organizations with what each uses, and how many match in all; one row without an id when the page is empty.
-- Over all tenants, hence as spooled_system.
-- column, direction: how they are sorted, from a fixed list. $1 plan tier, $2 pattern for name, slug and billing address; both
-- null = any. $3 limit, $4 offset. Live jobs are counted part by part, by the partial indexes that together hold them all.
WITH matching AS (
  SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at
  FROM organizations
  WHERE ($1::text IS NULL OR plan_tier = $1)
    AND ($2::text IS NULL OR name ILIKE $2 OR slug ILIKE $2 OR billing_email ILIKE $2)
), page AS MATERIALIZED (
  SELECT * FROM matching ORDER BY {column} {direction}, id {direction} LIMIT $3 OFFSET $4
)
SELECT
  counted.total,
  page.*,
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
    WHERE organization_id = page.id AND day = (now() AT TIME ZONE 'UTC')::date) AS jobs_today,
  (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'ready' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state IN ('scheduled', 'retrying') AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'leased' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND NOT dependencies_met) AS active_jobs,
  (
    SELECT count(*)
    FROM (
      SELECT queue_name FROM queue_config WHERE organization_id = page.id
      UNION SELECT queue_name FROM queues WHERE organization_id = page.id
      UNION SELECT queue_name FROM schedules WHERE organization_id = page.id AND is_active
    ) AS named
  ) AS queues,
  (SELECT count(*) FROM workers WHERE organization_id = page.id AND status IN ('healthy', 'degraded')) AS workers,
  (SELECT count(*) FROM api_keys WHERE organization_id = page.id AND is_active) AS api_keys
FROM (SELECT count(*) AS total FROM matching) AS counted
LEFT JOIN page ON true
ORDER BY page.{column} {direction}, page.id {direction}
