/** Types generated for queries found in "libs/data-access/src/inbound-deliveries/list-inbound-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListInboundDeliveries' parameters type */
export interface ListInboundDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  onlyDuplicates: boolean;
  organizationId: string;
  queueName?: string | null | void;
  rows: number;
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

const listInboundDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"onlyDuplicates":true,"since":true,"afterTime":true,"afterId":true,"rows":true,"status":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":557,"b":572}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":583,"b":592},{"a":627,"b":636}]},{"name":"onlyDuplicates","required":true,"transform":{"type":"scalar"},"locs":[{"a":648,"b":663}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":699,"b":704},{"a":744,"b":749}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":761,"b":770},{"a":816,"b":825}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":828,"b":835}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":887,"b":892}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":911,"b":917},{"a":945,"b":951}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":994,"b":1000}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1009,"b":1016}]}],"statement":"-- The log of accepted inbound webhooks of the current organization, newest first, among the next :rows of a queue, of the duplicates\n-- (:onlyDuplicates, not with a queue) or of all.\n-- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.\n-- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.\nSELECT id, provider, event_type, matched_queue, job_id, status, created_at\nFROM (\n  SELECT * FROM inbound_deliveries\n  WHERE organization_id = :organizationId!\n    AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')\n    AND (:since::timestamptz IS NULL OR created_at >= :since)\n    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY created_at DESC, id DESC LIMIT :rows!\n) AS next\nWHERE (:status::text IS NULL OR status = :status)\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The log of accepted inbound webhooks of the current organization, newest first, among the next :rows of a queue, of the duplicates
 * -- (:onlyDuplicates, not with a queue) or of all.
 * -- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
 * -- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.
 * SELECT id, provider, event_type, matched_queue, job_id, status, created_at
 * FROM (
 *   SELECT * FROM inbound_deliveries
 *   WHERE organization_id = :organizationId!
 *     AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')
 *     AND (:since::timestamptz IS NULL OR created_at >= :since)
 *     AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY created_at DESC, id DESC LIMIT :rows!
 * ) AS next
 * WHERE (:status::text IS NULL OR status = :status)
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listInboundDeliveries = new PreparedQuery<ListInboundDeliveriesParams,ListInboundDeliveriesResult>(listInboundDeliveriesIR);


/** 'FindInboundDeliveriesEnd' parameters type */
export interface FindInboundDeliveriesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  onlyDuplicates: boolean;
  organizationId: string;
  queueName?: string | null | void;
  rows: number;
  since?: string | null | void;
}

/** 'FindInboundDeliveriesEnd' return type */
export interface FindInboundDeliveriesEndResult {
  at: string;
  id: string;
}

/** 'FindInboundDeliveriesEnd' query type */
export interface FindInboundDeliveriesEndQuery {
  params: FindInboundDeliveriesEndParams;
  result: FindInboundDeliveriesEndResult;
}

const findInboundDeliveriesEndIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"onlyDuplicates":true,"since":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":132,"b":147}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":156,"b":165},{"a":200,"b":209}]},{"name":"onlyDuplicates","required":true,"transform":{"type":"scalar"},"locs":[{"a":221,"b":236}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":270,"b":275},{"a":315,"b":320}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":330,"b":339},{"a":385,"b":394}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":397,"b":404}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":463,"b":468}]}],"statement":"-- The last of the next :rows; none if there are fewer.\nSELECT created_at AS at, id FROM inbound_deliveries\nWHERE organization_id = :organizationId!\n  AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')\n  AND (:since::timestamptz IS NULL OR created_at >= :since)\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows; none if there are fewer.
 * SELECT created_at AS at, id FROM inbound_deliveries
 * WHERE organization_id = :organizationId!
 *   AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')
 *   AND (:since::timestamptz IS NULL OR created_at >= :since)
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findInboundDeliveriesEnd = new PreparedQuery<FindInboundDeliveriesEndParams,FindInboundDeliveriesEndResult>(findInboundDeliveriesEndIR);


