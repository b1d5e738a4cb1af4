/** Types generated for queries found in "libs/data-access/src/administration/list-organizations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListOrganizations' parameters type */
export interface ListOrganizationsParams {
  afterId?: string | null | void;
  afterText?: string | null | void;
  afterTime?: string | null | void;
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

const listOrganizationsIR: any = {"usedParamSet":{"planTier":true,"pattern":true,"orderBy":true,"ascending":true,"afterId":true,"afterTime":true,"afterText":true,"limit":true,"offset":true},"params":[{"name":"planTier","required":false,"transform":{"type":"scalar"},"locs":[{"a":655,"b":663},{"a":694,"b":702}]},{"name":"pattern","required":false,"transform":{"type":"scalar"},"locs":[{"a":714,"b":721},{"a":751,"b":758},{"a":774,"b":781},{"a":806,"b":813}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":851,"b":859},{"a":955,"b":963}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":1153,"b":1163},{"a":1194,"b":1204},{"a":1235,"b":1245},{"a":1278,"b":1288},{"a":1328,"b":1338},{"a":1382,"b":1392},{"a":1503,"b":1513},{"a":1666,"b":1676}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1442,"b":1449},{"a":1563,"b":1570},{"a":1647,"b":1654},{"a":1719,"b":1726},{"a":1774,"b":1781}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1538,"b":1547},{"a":1622,"b":1631}]},{"name":"afterText","required":false,"transform":{"type":"scalar"},"locs":[{"a":1701,"b":1710},{"a":1756,"b":1765}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1813,"b":1819}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1828,"b":1835}]}],"statement":"-- One page of organizations with their usage and the total number of matches; one row without an id when the page is empty.\n-- Across all tenants, so as spooled_system.\n-- :planTier null = any; :pattern for name, slug and billing address, null = any; :orderBy the name of a column; :afterTime or\n-- :afterText (its sort key) and :afterId of the last organization of the previous page, null = the first page. The other columns of the row without an\n-- id are null as well. Live jobs are counted by state, each by its partial index.\nWITH matching AS (\n  SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at\n  FROM organizations\n  WHERE (:planTier::text IS NULL OR plan_tier = :planTier)\n    AND (:pattern::text IS NULL OR name ILIKE :pattern OR slug ILIKE :pattern OR billing_email ILIKE :pattern)\n), keyed AS (\n  SELECT *,\n    CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END AS time_key,\n    CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END AS text_key\n  FROM matching\n), page AS MATERIALIZED (\n  SELECT *, row_number() OVER (ORDER BY\n    CASE WHEN :ascending! THEN time_key END, CASE WHEN :ascending! THEN text_key END, CASE WHEN :ascending! THEN id END,\n    CASE WHEN NOT :ascending! THEN time_key END DESC, CASE WHEN NOT :ascending! THEN text_key END DESC,\n    CASE WHEN NOT :ascending! THEN id END DESC) AS place\n  FROM keyed\n  WHERE :afterId::uuid IS NULL OR CASE\n    WHEN text_key IS NULL AND :ascending! THEN (time_key, id) > (:afterTime::timestamptz, :afterId)\n    WHEN text_key IS NULL THEN (time_key, id) < (:afterTime::timestamptz, :afterId)\n    WHEN :ascending! THEN (text_key, id) > (:afterText::text, :afterId)\n    ELSE (text_key, id) < (:afterText::text, :afterId)\n  END\n  ORDER BY place LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  counted.total AS \"total!\",\n  page.id AS \"id?\", page.name AS \"name!\", page.slug AS \"slug!\", page.plan_tier AS \"plan_tier!\", page.billing_email,\n  page.created_at AS \"created_at!\", page.updated_at AS \"updated_at!\",\n  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters\n    WHERE organization_id = page.id AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS \"jobs_today!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'ready' AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state IN ('scheduled', 'retrying') AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND state = 'leased' AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = page.id AND NOT dependencies_met) AS \"active_jobs!\",\n  (\n    SELECT count(*)\n    FROM (\n      SELECT queue_name FROM queue_config WHERE organization_id = page.id\n      UNION SELECT queue_name FROM queues WHERE organization_id = page.id\n      UNION SELECT queue_name FROM schedules WHERE organization_id = page.id AND is_active\n    ) AS named\n  ) AS \"queues!\",\n  (SELECT count(*) FROM workers WHERE organization_id = page.id AND status IN ('healthy', 'degraded')) AS \"workers!\",\n  (SELECT count(*) FROM api_keys WHERE organization_id = page.id AND is_active) AS \"api_keys!\"\nFROM (SELECT count(*) AS total FROM matching) AS counted\nLEFT JOIN page ON true\nORDER BY page.place"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of organizations with their usage and the total number of matches; one row without an id when the page is empty.
 * -- Across all tenants, so as spooled_system.
 * -- :planTier null = any; :pattern for name, slug and billing address, null = any; :orderBy the name of a column; :afterTime or
 * -- :afterText (its sort key) and :afterId of the last organization of the previous page, null = the first page. The other columns of the row without an
 * -- id are null as well. Live jobs are counted by state, each by its partial index.
 * WITH matching AS (
 *   SELECT id, name, slug, plan_tier, billing_email, created_at, updated_at
 *   FROM organizations
 *   WHERE (:planTier::text IS NULL OR plan_tier = :planTier)
 *     AND (:pattern::text IS NULL OR name ILIKE :pattern OR slug ILIKE :pattern OR billing_email ILIKE :pattern)
 * ), keyed AS (
 *   SELECT *,
 *     CASE :orderBy! WHEN 'created_at' THEN created_at WHEN 'updated_at' THEN updated_at END AS time_key,
 *     CASE :orderBy! WHEN 'name' THEN name WHEN 'slug' THEN slug WHEN 'plan_tier' THEN plan_tier END AS text_key
 *   FROM matching
 * ), page AS MATERIALIZED (
 *   SELECT *, row_number() OVER (ORDER BY
 *     CASE WHEN :ascending! THEN time_key END, CASE WHEN :ascending! THEN text_key END, CASE WHEN :ascending! THEN id END,
 *     CASE WHEN NOT :ascending! THEN time_key END DESC, CASE WHEN NOT :ascending! THEN text_key END DESC,
 *     CASE WHEN NOT :ascending! THEN id END DESC) AS place
 *   FROM keyed
 *   WHERE :afterId::uuid IS NULL OR CASE
 *     WHEN text_key IS NULL AND :ascending! THEN (time_key, id) > (:afterTime::timestamptz, :afterId)
 *     WHEN text_key IS NULL THEN (time_key, id) < (:afterTime::timestamptz, :afterId)
 *     WHEN :ascending! THEN (text_key, id) > (:afterText::text, :afterId)
 *     ELSE (text_key, id) < (:afterText::text, :afterId)
 *   END
 *   ORDER BY place LIMIT :limit! OFFSET :offset!
 * )
 * SELECT
 *   counted.total AS "total!",
 *   page.id AS "id?", page.name AS "name!", page.slug AS "slug!", page.plan_tier AS "plan_tier!", page.billing_email,
 *   page.created_at AS "created_at!", page.updated_at AS "updated_at!",
 *   (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
 *     WHERE organization_id = page.id AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
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


