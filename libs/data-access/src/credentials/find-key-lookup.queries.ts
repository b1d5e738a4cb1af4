/** Types generated for queries found in "libs/data-access/src/credentials/find-key-lookup.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindKeyLookup' parameters type */
export interface FindKeyLookupParams {
  id: string;
}

/** 'FindKeyLookup' return type */
export interface FindKeyLookupResult {
  key_lookup: string;
}

/** 'FindKeyLookup' query type */
export interface FindKeyLookupQuery {
  params: FindKeyLookupParams;
  result: FindKeyLookupResult;
}

const findKeyLookupIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":43,"b":46}]}],"statement":"SELECT key_lookup FROM api_keys WHERE id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT key_lookup FROM api_keys WHERE id = :id!
 * ```
 */
export const findKeyLookup = new PreparedQuery<FindKeyLookupParams,FindKeyLookupResult>(findKeyLookupIR);


