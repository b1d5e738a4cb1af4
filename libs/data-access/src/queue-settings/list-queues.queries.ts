/** Types generated for queries found in "libs/data-access/src/queue-settings/list-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListQueues' parameters type */
export interface ListQueuesParams {
  defaultRetries: number;
  defaultTimeout: number;
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

const listQueuesIR: any = {"usedParamSet":{"defaultRetries":true,"defaultTimeout":true,"organizationId":true,"queues":true},"params":[{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":207,"b":222}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":283,"b":298}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":440,"b":455},{"a":522,"b":537}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":567,"b":573},{"a":612,"b":618}]}],"statement":"-- The organization's queues by name: configured queues and queues that were created by jobs.\n-- :queues that the caller may access, null = all.\nSELECT\n  queue_name AS \"queue_name!\", coalesce(c.max_retries, :defaultRetries!::integer) AS \"max_retries!\",\n  coalesce(c.default_timeout, :defaultTimeout!::integer) AS \"default_timeout!\",\n  c.rate_limit, coalesce(c.enabled, true) AS \"enabled!\"\nFROM (SELECT * FROM queues WHERE organization_id = :organizationId!) q\nFULL JOIN (SELECT * FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)\nWHERE :queues::text[] IS NULL OR queue_name = ANY (:queues)\nORDER BY queue_name\nLIMIT 100"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's queues by name: configured queues and queues that were created by jobs.
 * -- :queues that the caller may access, null = all.
 * SELECT
 *   queue_name AS "queue_name!", coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
 *   coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!",
 *   c.rate_limit, coalesce(c.enabled, true) AS "enabled!"
 * FROM (SELECT * FROM queues WHERE organization_id = :organizationId!) q
 * FULL JOIN (SELECT * FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)
 * WHERE :queues::text[] IS NULL OR queue_name = ANY (:queues)
 * ORDER BY queue_name
 * LIMIT 100
 * ```
 */
export const listQueues = new PreparedQuery<ListQueuesParams,ListQueuesResult>(listQueuesIR);


