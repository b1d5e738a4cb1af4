/* @name listOrganizations */
-- One page of organizations with their usage and the total number of matches; one row without an id when the page is empty.
-- Across all tenants, so as spooled_system.
-- :planTier null = any; :pattern for name, slug and billing address, null = any; :orderBy the name of a column; :afterTime or
-- :afterText (its sort key) and :afterId of the last organization of the previous page, null = the first page. The other columns of the row without an
-- id are null as well. Live jobs are counted by state, each by its partial index.
WITH matching AS (
  SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at
  FROM organizations
  WHERE (:planTier::text IS NULL OR plan_tier = :planTier)
    AND (:pattern::text IS NULL OR name ILIKE :pattern OR slug ILIKE :pattern OR billing_email ILIKE :pattern)
), keyed AS (
  SELECT *,
    CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END AS time_key,
    CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END AS text_key
  FROM matching
), page AS MATERIALIZED (
  SELECT *, row_number() OVER (ORDER BY
    CASE WHEN :ascending! THEN time_key END, CASE WHEN :ascending! THEN text_key END, CASE WHEN :ascending! THEN id END,
    CASE WHEN NOT :ascending! THEN time_key END DESC, CASE WHEN NOT :ascending! THEN text_key END DESC,
    CASE WHEN NOT :ascending! THEN id END DESC) AS place
  FROM keyed
  WHERE :afterId::uuid IS NULL OR CASE
    WHEN text_key IS NULL AND :ascending! THEN (time_key, id) > (:afterTime::timestamptz, :afterId)
    WHEN text_key IS NULL THEN (time_key, id) < (:afterTime::timestamptz, :afterId)
    WHEN :ascending! THEN (text_key, id) > (:afterText::text, :afterId)
    ELSE (text_key, id) < (:afterText::text, :afterId)
  END
  ORDER BY place LIMIT :limit! OFFSET :offset!
)
SELECT
  counted.total AS "total!",
  page.id AS "id?", page.name AS "name!", page.slug AS "slug!", page.plan_tier AS "plan_tier!", page.billing_email,
  page.created_at AS "created_at!", page.updated_at AS "updated_at!",
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
    WHERE organization_id = page.id AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
  (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'ready' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state IN ('scheduled', 'retrying') AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'leased' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND NOT dependencies_met) AS "active_jobs!",
  (
    SELECT count(*)
    FROM (
      SELECT queue_name FROM queue_config WHERE organization_id = page.id
      UNION SELECT queue_name FROM queues WHERE organization_id = page.id
      UNION SELECT queue_name FROM schedules WHERE organization_id = page.id AND is_active
    ) AS named
  ) AS "queues!",
  (SELECT count(*) FROM workers WHERE organization_id = page.id AND status IN ('healthy', 'degraded')) AS "workers!",
  (SELECT count(*) FROM api_keys WHERE organization_id = page.id AND is_active AND key_prefix <> 'sign-in') AS "api_keys!"
FROM (SELECT count(*) AS total FROM matching) AS counted
LEFT JOIN page ON true
ORDER BY page.place;
