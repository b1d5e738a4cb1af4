/** Types generated for queries found in "libs/data-access/src/inbound-deliveries/inbound-refusals.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordInboundRefusals' parameters type */
export interface RecordInboundRefusalsParams {
  organizationId: string;
  refusals: string;
}

/** 'RecordInboundRefusals' return type */
export type RecordInboundRefusalsResult = void;

/** 'RecordInboundRefusals' query type */
export interface RecordInboundRefusalsQuery {
  params: RecordInboundRefusalsParams;
  result: RecordInboundRefusalsResult;
}

const recordInboundRefusalsIR: any = {"usedParamSet":{"refusals":true,"organizationId":true},"params":[{"name":"refusals","required":true,"transform":{"type":"scalar"},"locs":[{"a":419,"b":428}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":577,"b":592}]}],"statement":"-- Adds refused inbound webhooks of the current organization, unless it is gone.\n-- :refusals [{provider, event_type, code, reason, address, calls, ms_ago}]\nINSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)\nSELECT o.id, r.provider, r.event_type, r.code, r.reason, r.address, r.calls, current_ts() - r.ms_ago * interval '1 millisecond'\nFROM json_to_recordset(:refusals!::json) AS r (\n  provider text, event_type text, code text, reason text, address text, calls integer, ms_ago float8)\nJOIN organizations o ON o.id = :organizationId!"};

/**
 * Query generated from SQL:
 * ```
 * -- Adds refused inbound webhooks of the current organization, unless it is gone.
 * -- :refusals [{provider, event_type, code, reason, address, calls, ms_ago}]
 * INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)
 * SELECT o.id, r.provider, r.event_type, r.code, r.reason, r.address, r.calls, current_ts() - r.ms_ago * interval '1 millisecond'
 * FROM json_to_recordset(:refusals!::json) AS r (
 *   provider text, event_type text, code text, reason text, address text, calls integer, ms_ago float8)
 * JOIN organizations o ON o.id = :organizationId!
 * ```
 */
export const recordInboundRefusals = new PreparedQuery<RecordInboundRefusalsParams,RecordInboundRefusalsResult>(recordInboundRefusalsIR);


/** 'TrimInboundRefusals' parameters type */
export interface TrimInboundRefusalsParams {
  kept: number;
  organizationId: string;
}

/** 'TrimInboundRefusals' return type */
export type TrimInboundRefusalsResult = void;

/** 'TrimInboundRefusals' query type */
export interface TrimInboundRefusalsQuery {
  params: TrimInboundRefusalsParams;
  result: TrimInboundRefusalsResult;
}

const trimInboundRefusalsIR: any = {"usedParamSet":{"organizationId":true,"kept":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":179,"b":194}]},{"name":"kept","required":true,"transform":{"type":"scalar"},"locs":[{"a":239,"b":244}]}],"statement":"-- Deletes all but the newest :kept. Index: inbound_refusals_newest.\nDELETE FROM inbound_refusals WHERE id = ANY (ARRAY(\n  SELECT id FROM inbound_refusals WHERE organization_id = :organizationId!\n  ORDER BY created_at DESC, id DESC OFFSET :kept!))"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes all but the newest :kept. Index: inbound_refusals_newest.
 * DELETE FROM inbound_refusals WHERE id = ANY (ARRAY(
 *   SELECT id FROM inbound_refusals WHERE organization_id = :organizationId!
 *   ORDER BY created_at DESC, id DESC OFFSET :kept!))
 * ```
 */
export const trimInboundRefusals = new PreparedQuery<TrimInboundRefusalsParams,TrimInboundRefusalsResult>(trimInboundRefusalsIR);


/** 'ListInboundRefusals' parameters type */
export interface ListInboundRefusalsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  since?: string | null | void;
}

/** 'ListInboundRefusals' return type */
export interface ListInboundRefusalsResult {
  address: string;
  calls: number;
  code: string;
  created_at: string;
  event_type: string;
  id: string;
  provider: string;
  reason: string;
}

/** 'ListInboundRefusals' query type */
export interface ListInboundRefusalsQuery {
  params: ListInboundRefusalsParams;
  result: ListInboundRefusalsResult;
}

const listInboundRefusalsIR: any = {"usedParamSet":{"organizationId":true,"since":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":276,"b":291}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":298,"b":303},{"a":343,"b":348}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":358,"b":367},{"a":413,"b":422}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":425,"b":432}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":482,"b":488}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":497,"b":504}]}],"statement":"-- Newest first. :since null = any; :afterTime and :afterId of the last one of the previous page, null = the first page.\n-- Index: inbound_refusals_newest.\nSELECT id, provider, event_type, code, reason, address, calls, created_at\nFROM inbound_refusals\nWHERE organization_id = :organizationId! AND (:since::timestamptz IS NULL OR created_at >= :since)\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Newest first. :since null = any; :afterTime and :afterId of the last one of the previous page, null = the first page.
 * -- Index: inbound_refusals_newest.
 * SELECT id, provider, event_type, code, reason, address, calls, created_at
 * FROM inbound_refusals
 * WHERE organization_id = :organizationId! AND (:since::timestamptz IS NULL OR created_at >= :since)
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listInboundRefusals = new PreparedQuery<ListInboundRefusalsParams,ListInboundRefusalsResult>(listInboundRefusalsIR);


