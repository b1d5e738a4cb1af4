/** Types generated for queries found in "libs/data-access/src/ingestion/find-receiver.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindReceiver' parameters type */
export interface FindReceiverParams {
  organizationId: string;
}

/** 'FindReceiver' return type */
export interface FindReceiverResult {
  custom_limits: unknown | null;
  github_secret: string | null;
  plan_tier: string;
  stripe_secret: string | null;
  token: string | null;
}

/** 'FindReceiver' query type */
export interface FindReceiverQuery {
  params: FindReceiverParams;
  result: FindReceiverResult;
}

const findReceiverIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":410,"b":425}]}],"statement":"-- The plan and webhook secrets of an organization; an empty secret is null. No row: the organization does not exist or is deleted.\n-- Index: primary key.\nSELECT\n  plan_tier, custom_limits,\n  nullif(settings ->> 'webhook_token', '') AS token,\n  nullif(settings ->> 'github_webhook_secret', '') AS github_secret,\n  nullif(settings ->> 'stripe_webhook_secret', '') AS stripe_secret\nFROM organizations\nWHERE id = :organizationId! AND plan_tier <> 'deleted'"};

/**
 * Query generated from SQL:
 * ```
 * -- The plan and webhook secrets of an organization; an empty secret is null. No row: the organization does not exist or is deleted.
 * -- Index: primary key.
 * SELECT
 *   plan_tier, custom_limits,
 *   nullif(settings ->> 'webhook_token', '') AS token,
 *   nullif(settings ->> 'github_webhook_secret', '') AS github_secret,
 *   nullif(settings ->> 'stripe_webhook_secret', '') AS stripe_secret
 * FROM organizations
 * WHERE id = :organizationId! AND plan_tier <> 'deleted'
 * ```
 */
export const findReceiver = new PreparedQuery<FindReceiverParams,FindReceiverResult>(findReceiverIR);


