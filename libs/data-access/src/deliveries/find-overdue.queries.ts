/** Types generated for queries found in "libs/data-access/src/deliveries/find-overdue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindOverdue' parameters type */
export interface FindOverdueParams {
  afterId: string;
  afterTime: string;
  bySeconds: number;
  limit: number;
}

/** 'FindOverdue' return type */
export interface FindOverdueResult {
  id: string;
  next_attempt_at: string;
  organization_id: string;
}

/** 'FindOverdue' query type */
export interface FindOverdueQuery {
  params: FindOverdueParams;
  result: FindOverdueResult;
}

const findOverdueIR: any = {"usedParamSet":{"bySeconds":true,"afterTime":true,"afterId":true,"limit":true},"params":[{"name":"bySeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":322,"b":332}]},{"name":"afterTime","required":true,"transform":{"type":"scalar"},"locs":[{"a":366,"b":376}]},{"name":"afterId","required":true,"transform":{"type":"scalar"},"locs":[{"a":392,"b":400}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":444,"b":450}]}],"statement":"-- Pending deliveries that are overdue, oldest first, after a position.\n-- :afterTime and :afterId are those of the last row seen.\n-- Index: webhook_deliveries_pending.\nSELECT id, organization_id, next_attempt_at\nFROM webhook_deliveries\nWHERE status = 'pending' AND next_attempt_at <= current_ts() - make_interval(secs => :bySeconds!)\n  AND (next_attempt_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)\nORDER BY next_attempt_at, id\nLIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- Pending deliveries that are overdue, oldest first, after a position.
 * -- :afterTime and :afterId are those of the last row seen.
 * -- Index: webhook_deliveries_pending.
 * SELECT id, organization_id, next_attempt_at
 * FROM webhook_deliveries
 * WHERE status = 'pending' AND next_attempt_at <= current_ts() - make_interval(secs => :bySeconds!)
 *   AND (next_attempt_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)
 * ORDER BY next_attempt_at, id
 * LIMIT :limit!
 * ```
 */
export const findOverdue = new PreparedQuery<FindOverdueParams,FindOverdueResult>(findOverdueIR);


