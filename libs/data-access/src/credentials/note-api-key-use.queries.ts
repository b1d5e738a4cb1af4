/** Types generated for queries found in "libs/data-access/src/credentials/note-api-key-use.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'NoteApiKeyUse' parameters type */
export interface NoteApiKeyUseParams {
  ids: stringArray;
}

/** 'NoteApiKeyUse' return type */
export type NoteApiKeyUseResult = void;

/** 'NoteApiKeyUse' query type */
export interface NoteApiKeyUseQuery {
  params: NoteApiKeyUseParams;
  result: NoteApiKeyUseResult;
}

const noteApiKeyUseIR: any = {"usedParamSet":{"ids":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":167,"b":171}]}],"statement":"-- Writes when keys were last used, at most every 300 seconds a key over all processes.\n-- Index: api_keys_pkey.\nUPDATE api_keys\nSET last_used = now()\nWHERE id = ANY (:ids!::uuid[])\n  AND (last_used IS NULL OR last_used < now() - interval '300 seconds')"};

/**
 * Query generated from SQL:
 * ```
 * -- Writes when keys were last used, at most every 300 seconds a key over all processes.
 * -- Index: api_keys_pkey.
 * UPDATE api_keys
 * SET last_used = now()
 * WHERE id = ANY (:ids!::uuid[])
 *   AND (last_used IS NULL OR last_used < now() - interval '300 seconds')
 * ```
 */
export const noteApiKeyUse = new PreparedQuery<NoteApiKeyUseParams,NoteApiKeyUseResult>(noteApiKeyUseIR);


