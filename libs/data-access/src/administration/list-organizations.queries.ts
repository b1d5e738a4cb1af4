/** Types generated for queries found in "libs/data-access/src/administration/list-organizations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListOrganizations' parameters type */
export interface ListOrganizationsParams {
  ascending: boolean;
  limit: number;
  offset: number;
  orderBy: string;
  pattern?: string | null | void;
  planTier?: string | null | void;
}

/** 'ListOrganizations' return type */
export interface ListOrganizationsResult {
  active_jobs: number;
  api_keys: number;
  billing_email: string | null;
  created_at: string;
  id: string | null;
  jobs_today: number;
  name: string;
  plan_tier: string;
  queues: number;
  slug: string;
  total: number;
  updated_at: string;
  workers: number;
}

/** 'ListOrganizations' query type */
export interface ListOrganizationsQuery {
  params: ListOrganizationsParams;
  result: ListOrganizationsResult;
}

const listOrganizationsIR: any = {"usedParamSet":{"planTier":true,"pattern":true,"ascending":true,"orderBy":true,"limit":true,"offset":true},"params":[{"name":"planTier","required":false,"transform":{"type":"scalar"},"locs":[{"a":529,"b":537},{"a":568,"b":576}]},{"name":"pattern","required":false,"transform":{"type":"scalar"},"locs":[{"a":588,"b":595},{"a":625,"b":632},{"a":648,"b":655},{"a":680,"b":687}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":759,"b":769},{"a":882,"b":892},{"a":1013,"b":1023},{"a":1056,"b":1066},{"a":1188,"b":1198},{"a":1328,"b":1338}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":781,"b":789},{"a":904,"b":912},{"a":1078,"b":1086},{"a":1210,"b":1218}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1453,"b":1459}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1468,"b":1475}]}],"statement":"-- One page of organizations with their usage and the total number of matches; one row without an id when the page is empty.\n-- Across all tenants, so as spooled_system.\n-- :planTier null = any; :pattern for name, slug and billing address, null = any; :orderBy the name of a column. The other columns of\n-- the row without an id are null as well. Live jobs are counted by state, each by its partial index.\nWITH matching AS (\n  SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at\n  FROM organizations\n  WHERE (:planTier::text IS NULL OR plan_tier = :planTier)\n    AND (:pattern::text IS NULL OR name ILIKE :pattern OR slug ILIKE :pattern OR billing_email ILIKE :pattern)\n), sorted AS (\n  SELECT *, row_number() OVER (ORDER BY\n    CASE WHEN :ascending! THEN CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END END,\n    CASE WHEN :ascending! THEN CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END END,\n    CASE WHEN :ascending! THEN id END,\n    CASE WHEN NOT :ascending! THEN CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END END DESC,\n    CASE WHEN NOT :ascending! THEN CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END END DESC,\n    CASE WHEN NOT :ascending! THEN id END DESC) AS place\n  FROM matching\n), page AS MATERIALIZED (\n  SELECT * FROM sorted ORDER BY place LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  counted.total AS \"total!\",\n  page.id AS \"id?\", page.name AS \"name!\", page.slug AS \"slug!\", page.plan_tier AS \"plan_tier!\", page.billing_email,\n  page.created_at AS \"created_at!\", page.updated_at AS \"updated_at!\",\n  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters\n    WHERE organization_id = page.id AND day = (now() AT TIME ZONE 'UTC')::date) AS \"jobs_today!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'ready' AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state IN ('scheduled', 'retrying') AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'leased' AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND NOT dependencies_met) AS \"active_jobs!\",\n  (\n    SELECT count(*)\n    FROM (\n      SELECT queue_name FROM queue_config WHERE organization_id = page.id\n      UNION SELECT queue_name FROM queues WHERE organization_id = page.id\n      UNION SELECT queue_name FROM schedules WHERE organization_id = page.id AND is_active\n    ) AS named\n  ) AS \"queues!\",\n  (SELECT count(*) FROM workers WHERE organization_id = page.id AND status IN ('healthy', 'degraded')) AS \"workers!\",\n  (SELECT count(*) FROM api_keys WHERE organization_id = page.id AND is_active) AS \"api_keys!\"\nFROM (SELECT count(*) AS total FROM matching) AS counted\nLEFT JOIN page ON true\nORDER BY page.place"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of organizations with their usage and the total number of matches; one row without an id when the page is empty.
 * -- Across all tenants, so as spooled_system.
 * -- :planTier null = any; :pattern for name, slug and billing address, null = any; :orderBy the name of a column. The other columns of
 * -- the row without an id are null as well. Live jobs are counted by state, each by its partial index.
 * WITH matching AS (
 *   SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at
 *   FROM organizations
 *   WHERE (:planTier::text IS NULL OR plan_tier = :planTier)
 *     AND (:pattern::text IS NULL OR name ILIKE :pattern OR slug ILIKE :pattern OR billing_email ILIKE :pattern)
 * ), sorted AS (
 *   SELECT *, row_number() OVER (ORDER BY
 *     CASE WHEN :ascending! THEN CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END END,
 *     CASE WHEN :ascending! THEN CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END END,
 *     CASE WHEN :ascending! THEN id END,
 *     CASE WHEN NOT :ascending! THEN CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END END DESC,
 *     CASE WHEN NOT :ascending! THEN CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END END DESC,
 *     CASE WHEN NOT :ascending! THEN id END DESC) AS place
 *   FROM matching
 * ), page AS MATERIALIZED (
 *   SELECT * FROM sorted ORDER BY place LIMIT :limit! OFFSET :offset!
 * )
 * SELECT
 *   counted.total AS "total!",
 *   page.id AS "id?", page.name AS "name!", page.slug AS "slug!", page.plan_tier AS "plan_tier!", page.billing_email,
 *   page.created_at AS "created_at!", page.updated_at AS "updated_at!",
 *   (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
 *     WHERE organization_id = page.id AND day = (now() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
 *   (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'ready' AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state IN ('scheduled', 'retrying') AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'leased' AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND NOT dependencies_met) AS "active_jobs!",
 *   (
 *     SELECT count(*)
 *     FROM (
 *       SELECT queue_name FROM queue_config WHERE organization_id = page.id
 *       UNION SELECT queue_name FROM queues WHERE organization_id = page.id
 *       UNION SELECT queue_name FROM schedules WHERE organization_id = page.id AND is_active
 *     ) AS named
 *   ) AS "queues!",
 *   (SELECT count(*) FROM workers WHERE organization_id = page.id AND status IN ('healthy', 'degraded')) AS "workers!",
 *   (SELECT count(*) FROM api_keys WHERE organization_id = page.id AND is_active) AS "api_keys!"
 * FROM (SELECT count(*) AS total FROM matching) AS counted
 * LEFT JOIN page ON true
 * ORDER BY page.place
 * ```
 */
export const listOrganizations = new PreparedQuery<ListOrganizationsParams,ListOrganizationsResult>(listOrganizationsIR);


