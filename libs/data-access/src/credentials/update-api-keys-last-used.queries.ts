/** Types generated for queries found in "libs/data-access/src/credentials/update-api-keys-last-used.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'UpdateApiKeysLastUsed' parameters type */
export interface UpdateApiKeysLastUsedParams {
  ids: stringArray;
}

/** 'UpdateApiKeysLastUsed' return type */
export type UpdateApiKeysLastUsedResult = void;

/** 'UpdateApiKeysLastUsed' query type */
export interface UpdateApiKeysLastUsedQuery {
  params: UpdateApiKeysLastUsedParams;
  result: UpdateApiKeysLastUsedResult;
}

const updateApiKeysLastUsedIR: any = {"usedParamSet":{"ids":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":178,"b":182}]}],"statement":"-- Updates last_used of API keys, at most once per key in 300 seconds across all processes.\n-- Index: api_keys_pkey.\nUPDATE api_keys\nSET last_used = current_ts()\nWHERE id = ANY (:ids!::uuid[])\n  AND (last_used IS NULL OR last_used < current_ts() - interval '300 seconds')"};

/**
 * Query generated from SQL:
 * ```
 * -- Updates last_used of API keys, at most once per key in 300 seconds across all processes.
 * -- Index: api_keys_pkey.
 * UPDATE api_keys
 * SET last_used = current_ts()
 * WHERE id = ANY (:ids!::uuid[])
 *   AND (last_used IS NULL OR last_used < current_ts() - interval '300 seconds')
 * ```
 */
export const updateApiKeysLastUsed = new PreparedQuery<UpdateApiKeysLastUsedParams,UpdateApiKeysLastUsedResult>(updateApiKeysLastUsedIR);


