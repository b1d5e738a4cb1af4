/** Types generated for queries found in "libs/data-access/src/queue-settings/find-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindQueue' parameters type */
export interface FindQueueParams {
  defaultRetries: number;
  defaultTimeout: number;
  hidden: stringArray;
  organizationId: string;
  queueName: string;
}

/** 'FindQueue' return type */
export interface FindQueueResult {
  created_at: string;
  default_timeout: number;
  enabled: boolean;
  id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  rate_limit: number | null;
  settings: string;
  updated_at: string;
}

/** 'FindQueue' query type */
export interface FindQueueQuery {
  params: FindQueueParams;
  result: FindQueueResult;
}

const findQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"defaultRetries":true,"defaultTimeout":true,"hidden":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":171,"b":186},{"a":747,"b":762},{"a":837,"b":852}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":219,"b":229},{"a":783,"b":793},{"a":873,"b":883}]},{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":281,"b":296}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":357,"b":372}]},{"name":"hidden","required":true,"transform":{"type":"scalar"},"locs":[{"a":527,"b":534}]}],"statement":"-- The settings of a queue; the defaults for a queue that was created by a job and is not configured.\nSELECT\n  coalesce(c.id::text, 'implicit:' || q.queue_name) AS \"id!\", :organizationId!::uuid AS \"organization_id!\",\n  :queueName!::text AS \"queue_name!\",\n  coalesce(c.max_retries, :defaultRetries!::integer) AS \"max_retries!\",\n  coalesce(c.default_timeout, :defaultTimeout!::integer) AS \"default_timeout!\", c.rate_limit AS \"rate_limit?\",\n  coalesce(c.enabled, true) AS \"enabled!\", (coalesce(c.settings, '{\"implicit\": true}') - :hidden!::text[])::text AS \"settings!\",\n  coalesce(c.created_at, q.first_seen) AS \"created_at!\", coalesce(c.updated_at, q.first_seen) AS \"updated_at!\"\nFROM (SELECT) AS one\nLEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!\nLEFT JOIN queues q ON q.organization_id = :organizationId! AND q.queue_name = :queueName!\nWHERE c.id IS NOT NULL OR q.queue_name IS NOT NULL"};

/**
 * Query generated from SQL:
 * ```
 * -- The settings of a queue; the defaults for a queue that was created by a job and is not configured.
 * SELECT
 *   coalesce(c.id::text, 'implicit:' || q.queue_name) AS "id!", :organizationId!::uuid AS "organization_id!",
 *   :queueName!::text AS "queue_name!",
 *   coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
 *   coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!", c.rate_limit AS "rate_limit?",
 *   coalesce(c.enabled, true) AS "enabled!", (coalesce(c.settings, '{"implicit": true}') - :hidden!::text[])::text AS "settings!",
 *   coalesce(c.created_at, q.first_seen) AS "created_at!", coalesce(c.updated_at, q.first_seen) AS "updated_at!"
 * FROM (SELECT) AS one
 * LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!
 * LEFT JOIN queues q ON q.organization_id = :organizationId! AND q.queue_name = :queueName!
 * WHERE c.id IS NOT NULL OR q.queue_name IS NOT NULL
 * ```
 */
export const findQueue = new PreparedQuery<FindQueueParams,FindQueueResult>(findQueueIR);


