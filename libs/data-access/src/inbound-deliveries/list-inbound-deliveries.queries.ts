/** Types generated for queries found in "libs/data-access/src/inbound-deliveries/list-inbound-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListInboundDeliveries' parameters type */
export interface ListInboundDeliveriesParams {
  limit: number;
  offset: number;
  organizationId: string;
  queueName?: string | null | void;
  since?: string | null | void;
  status?: string | null | void;
}

/** 'ListInboundDeliveries' return type */
export interface ListInboundDeliveriesResult {
  created_at: string;
  event_type: string;
  id: string;
  job_id: string;
  matched_queue: string;
  provider: string;
  status: string;
}

/** 'ListInboundDeliveries' query type */
export interface ListInboundDeliveriesQuery {
  params: ListInboundDeliveriesParams;
  result: ListInboundDeliveriesResult;
}

const listInboundDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"status":true,"since":true,"queueName":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":346,"b":361}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":368,"b":374},{"a":402,"b":408}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":418,"b":423},{"a":463,"b":468}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":476,"b":485},{"a":520,"b":529}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":572,"b":578}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":587,"b":594}]}],"statement":"-- The log of accepted inbound webhooks of the current organization, newest first.\n-- :status, :since, :queueName null = any.\n-- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.\nSELECT id, provider, event_type, matched_queue, job_id, status, created_at\nFROM inbound_deliveries\nWHERE organization_id = :organizationId! AND (:status::text IS NULL OR status = :status)\n  AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:queueName::text IS NULL OR matched_queue = :queueName)\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The log of accepted inbound webhooks of the current organization, newest first.
 * -- :status, :since, :queueName null = any.
 * -- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.
 * SELECT id, provider, event_type, matched_queue, job_id, status, created_at
 * FROM inbound_deliveries
 * WHERE organization_id = :organizationId! AND (:status::text IS NULL OR status = :status)
 *   AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:queueName::text IS NULL OR matched_queue = :queueName)
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listInboundDeliveries = new PreparedQuery<ListInboundDeliveriesParams,ListInboundDeliveriesResult>(listInboundDeliveriesIR);


