/** Types generated for queries found in "libs/data-access/src/queue-settings/list-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListQueues' parameters type */
export interface ListQueuesParams {
  afterName?: string | null | void;
  defaultRetries: number;
  defaultTimeout: number;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListQueues' return type */
export interface ListQueuesResult {
  default_timeout: number;
  enabled: boolean;
  max_retries: number;
  queue_name: string;
  rate_limit: number | null;
}

/** 'ListQueues' query type */
export interface ListQueuesQuery {
  params: ListQueuesParams;
  result: ListQueuesResult;
}

const listQueuesIR: any = {"usedParamSet":{"defaultRetries":true,"defaultTimeout":true,"organizationId":true,"queues":true,"afterName":true,"limit":true,"offset":true},"params":[{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":277,"b":292}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":353,"b":368}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":510,"b":525},{"a":592,"b":607}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":638,"b":644},{"a":683,"b":689}]},{"name":"afterName","required":false,"transform":{"type":"scalar"},"locs":[{"a":698,"b":707},{"a":739,"b":748}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":777,"b":783}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":792,"b":799}]}],"statement":"-- The organization's queues by name: configured queues and queues that were created by jobs.\n-- :queues that the caller may access, null = all; :afterName the last name of the previous page, null = the first page.\nSELECT\n  queue_name AS \"queue_name!\", coalesce(c.max_retries, :defaultRetries!::integer) AS \"max_retries!\",\n  coalesce(c.default_timeout, :defaultTimeout!::integer) AS \"default_timeout!\",\n  c.rate_limit, coalesce(c.enabled, true) AS \"enabled!\"\nFROM (SELECT * FROM queues WHERE organization_id = :organizationId!) q\nFULL JOIN (SELECT * FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)\nWHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:afterName::text IS NULL OR queue_name > :afterName)\nORDER BY queue_name\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's queues by name: configured queues and queues that were created by jobs.
 * -- :queues that the caller may access, null = all; :afterName the last name of the previous page, null = the first page.
 * SELECT
 *   queue_name AS "queue_name!", coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
 *   coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!",
 *   c.rate_limit, coalesce(c.enabled, true) AS "enabled!"
 * FROM (SELECT * FROM queues WHERE organization_id = :organizationId!) q
 * FULL JOIN (SELECT * FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)
 * WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:afterName::text IS NULL OR queue_name > :afterName)
 * ORDER BY queue_name
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listQueues = new PreparedQuery<ListQueuesParams,ListQueuesResult>(listQueuesIR);


