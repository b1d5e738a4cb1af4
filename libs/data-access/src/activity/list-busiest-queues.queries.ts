/** Types generated for queries found in "libs/data-access/src/activity/list-busiest-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListBusiestQueues' parameters type */
export interface ListBusiestQueuesParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListBusiestQueues' return type */
export interface ListBusiestQueuesResult {
  name: string;
  paused: boolean;
  pending: number;
  processing: number;
}

/** 'ListBusiestQueues' query type */
export interface ListBusiestQueuesQuery {
  params: ListBusiestQueuesParams;
  result: ListBusiestQueuesResult;
}

const listBusiestQueuesIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":256,"b":271},{"a":391,"b":406},{"a":532,"b":547},{"a":688,"b":703},{"a":924,"b":939},{"a":1220,"b":1235},{"a":1320,"b":1335}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1404,"b":1410},{"a":1449,"b":1455}]}],"statement":"-- The queues with the most live jobs, then the others by name.\n-- :queues null = all.\n-- Relies on the partial indexes of job_queue, one per state.\nWITH live AS (\n  SELECT queue_name, 1 AS pending, 0 AS processing FROM job_queue\n  WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met\n  UNION ALL\n  SELECT queue_name, 1, 0 FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met\n  UNION ALL\n  SELECT queue_name, 1, 0 FROM job_queue\n  WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') AND state = 'retrying'\n  UNION ALL\n  SELECT queue_name, 0, 1 FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased'\n), counted AS (\n  SELECT queue_name, sum(pending) AS pending, sum(processing) AS processing FROM live\n  WHERE queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))\n  GROUP BY queue_name\n)\nSELECT\n  queue_name AS \"name!\", coalesce(l.pending, 0)::bigint AS \"pending!\", coalesce(l.processing, 0)::bigint AS \"processing!\",\n  NOT coalesce(c.enabled, true) AS \"paused!\"\nFROM (SELECT queue_name FROM queues WHERE organization_id = :organizationId!) q\nFULL JOIN (SELECT queue_name, enabled FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)\nLEFT JOIN counted l USING (queue_name)\nWHERE :queues::text[] IS NULL OR queue_name = ANY (:queues)\nORDER BY coalesce(l.pending, 0) + coalesce(l.processing, 0) DESC, queue_name\nLIMIT 20"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues with the most live jobs, then the others by name.
 * -- :queues null = all.
 * -- Relies on the partial indexes of job_queue, one per state.
 * WITH live AS (
 *   SELECT queue_name, 1 AS pending, 0 AS processing FROM job_queue
 *   WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met
 *   UNION ALL
 *   SELECT queue_name, 1, 0 FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
 *   UNION ALL
 *   SELECT queue_name, 1, 0 FROM job_queue
 *   WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') AND state = 'retrying'
 *   UNION ALL
 *   SELECT queue_name, 0, 1 FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased'
 * ), counted AS (
 *   SELECT queue_name, sum(pending) AS pending, sum(processing) AS processing FROM live
 *   WHERE queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
 *   GROUP BY queue_name
 * )
 * SELECT
 *   queue_name AS "name!", coalesce(l.pending, 0)::bigint AS "pending!", coalesce(l.processing, 0)::bigint AS "processing!",
 *   NOT coalesce(c.enabled, true) AS "paused!"
 * FROM (SELECT queue_name FROM queues WHERE organization_id = :organizationId!) q
 * FULL JOIN (SELECT queue_name, enabled FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)
 * LEFT JOIN counted l USING (queue_name)
 * WHERE :queues::text[] IS NULL OR queue_name = ANY (:queues)
 * ORDER BY coalesce(l.pending, 0) + coalesce(l.processing, 0) DESC, queue_name
 * LIMIT 20
 * ```
 */
export const listBusiestQueues = new PreparedQuery<ListBusiestQueuesParams,ListBusiestQueuesResult>(listBusiestQueuesIR);


