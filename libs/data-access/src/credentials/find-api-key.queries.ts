/** Types generated for queries found in "libs/data-access/src/credentials/find-api-key.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindApiKey' parameters type */
export interface FindApiKeyParams {
  lookup: string;
}

/** 'FindApiKey' return type */
export interface FindApiKeyResult {
  custom_limits: unknown | null;
  expires_at: string | null;
  id: string;
  key_digest: string;
  name: string;
  organization_id: string;
  plan_tier: string;
  position: number;
  queues: stringArray;
  rate_limit: number | null;
  read_at: number;
  role: string;
}

/** 'FindApiKey' query type */
export interface FindApiKeyQuery {
  params: FindApiKeyParams;
  result: FindApiKeyResult;
}

const findApiKeyIR: any = {"usedParamSet":{"lookup":true},"params":[{"name":"lookup","required":true,"transform":{"type":"scalar"},"locs":[{"a":696,"b":703}]}],"statement":"-- The valid API key of a lookup hash with the plan of its organization. No row: the key is unknown, inactive or expired, or its\n-- organization was deleted. The tenant is not known before the key is found, so this runs as spooled_system.\n-- `position` and `read_at` are compared with later credential changes.\n-- Index: api_keys_key_lookup_key.\nSELECT k.id, k.name, k.organization_id, k.key_digest, k.queues, k.rate_limit, k.role, k.expires_at, o.plan_tier, o.custom_limits,\n  pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS \"position!\", extract(epoch FROM current_ts())::float8 * 1000 AS \"read_at!\"\nFROM api_keys k\nJOIN organizations o ON o.id = k.organization_id\nWHERE k.key_lookup = :lookup!\n  AND k.is_active\n  AND (k.expires_at IS NULL OR k.expires_at > current_ts())\n  AND o.plan_tier <> 'deleted'"};

/**
 * Query generated from SQL:
 * ```
 * -- The valid API key of a lookup hash with the plan of its organization. No row: the key is unknown, inactive or expired, or its
 * -- organization was deleted. The tenant is not known before the key is found, so this runs as spooled_system.
 * -- `position` and `read_at` are compared with later credential changes.
 * -- Index: api_keys_key_lookup_key.
 * SELECT k.id, k.name, k.organization_id, k.key_digest, k.queues, k.rate_limit, k.role, k.expires_at, o.plan_tier, o.custom_limits,
 *   pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "position!", extract(epoch FROM current_ts())::float8 * 1000 AS "read_at!"
 * FROM api_keys k
 * JOIN organizations o ON o.id = k.organization_id
 * WHERE k.key_lookup = :lookup!
 *   AND k.is_active
 *   AND (k.expires_at IS NULL OR k.expires_at > current_ts())
 *   AND o.plan_tier <> 'deleted'
 * ```
 */
export const findApiKey = new PreparedQuery<FindApiKeyParams,FindApiKeyResult>(findApiKeyIR);


