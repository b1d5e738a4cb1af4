/** Types generated for queries found in "libs/data-access/src/credentials/store-key-digest.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'StoreKeyDigest' parameters type */
export interface StoreKeyDigestParams {
  digest: string;
  id: string;
}

/** 'StoreKeyDigest' return type */
export type StoreKeyDigestResult = void;

/** 'StoreKeyDigest' query type */
export interface StoreKeyDigestQuery {
  params: StoreKeyDigestParams;
  result: StoreKeyDigestResult;
}

const storeKeyDigestIR: any = {"usedParamSet":{"digest":true,"id":true},"params":[{"name":"digest","required":true,"transform":{"type":"scalar"},"locs":[{"a":33,"b":40},{"a":90,"b":97}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":53,"b":56}]}],"statement":"UPDATE api_keys SET key_digest = :digest! WHERE id = :id! AND key_digest IS DISTINCT FROM :digest!"};

/**
 * Query generated from SQL:
 * ```
 * UPDATE api_keys SET key_digest = :digest! WHERE id = :id! AND key_digest IS DISTINCT FROM :digest!
 * ```
 */
export const storeKeyDigest = new PreparedQuery<StoreKeyDigestParams,StoreKeyDigestResult>(storeKeyDigestIR);


