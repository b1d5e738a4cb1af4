/** Types generated for queries found in "libs/data-access/src/queue-settings/expired-pauses.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindExpiredPauses' parameters type */
export interface FindExpiredPausesParams {
  limit: number;
}

/** 'FindExpiredPauses' return type */
export interface FindExpiredPausesResult {
  organization_id: string;
  queue_name: string;
}

/** 'FindExpiredPauses' query type */
export interface FindExpiredPausesQuery {
  params: FindExpiredPausesParams;
  result: FindExpiredPausesResult;
}

const findExpiredPausesIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":257,"b":263}]}],"statement":"-- The queues of all organizations whose pause has expired, the longest ago first. Index: queue_config_pause_expiry.\nSELECT organization_id, queue_name FROM queue_config\nWHERE NOT enabled AND pause_expires_at <= current_ts() ORDER BY pause_expires_at LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues of all organizations whose pause has expired, the longest ago first. Index: queue_config_pause_expiry.
 * SELECT organization_id, queue_name FROM queue_config
 * WHERE NOT enabled AND pause_expires_at <= current_ts() ORDER BY pause_expires_at LIMIT :limit!
 * ```
 */
export const findExpiredPauses = new PreparedQuery<FindExpiredPausesParams,FindExpiredPausesResult>(findExpiredPausesIR);


