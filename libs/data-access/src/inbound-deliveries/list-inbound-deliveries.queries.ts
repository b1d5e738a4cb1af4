/** Types generated for queries found in "libs/data-access/src/inbound-deliveries/list-inbound-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListInboundDeliveries' parameters type */
export interface ListInboundDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
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

const listInboundDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"status":true,"since":true,"queueName":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":436,"b":451}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":458,"b":464},{"a":492,"b":498}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":508,"b":513},{"a":553,"b":558}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":566,"b":575},{"a":610,"b":619}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":629,"b":638},{"a":684,"b":693}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":696,"b":703}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":753,"b":759}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":768,"b":775}]}],"statement":"-- The log of accepted inbound webhooks of the current organization, newest first.\n-- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.\n-- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.\nSELECT id, provider, event_type, matched_queue, job_id, status, created_at\nFROM inbound_deliveries\nWHERE organization_id = :organizationId! AND (:status::text IS NULL OR status = :status)\n  AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:queueName::text IS NULL OR matched_queue = :queueName)\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The log of accepted inbound webhooks of the current organization, newest first.
 * -- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
 * -- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.
 * SELECT id, provider, event_type, matched_queue, job_id, status, created_at
 * FROM inbound_deliveries
 * WHERE organization_id = :organizationId! AND (:status::text IS NULL OR status = :status)
 *   AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:queueName::text IS NULL OR matched_queue = :queueName)
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listInboundDeliveries = new PreparedQuery<ListInboundDeliveriesParams,ListInboundDeliveriesResult>(listInboundDeliveriesIR);


