/** Types generated for queries found in "libs/data-access/src/credentials/console-sessions.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'InsertConsoleLogin' parameters type */
export interface InsertConsoleLoginParams {
  apiKeyId: string;
  codeHash: string;
  organizationId: string;
  seconds: number;
}

/** 'InsertConsoleLogin' return type */
export interface InsertConsoleLoginResult {
  expires_at: string;
}

/** 'InsertConsoleLogin' query type */
export interface InsertConsoleLoginQuery {
  params: InsertConsoleLoginParams;
  result: InsertConsoleLoginResult;
}

const insertConsoleLoginIR: any = {"usedParamSet":{"codeHash":true,"organizationId":true,"apiKeyId":true,"seconds":true},"params":[{"name":"codeHash","required":true,"transform":{"type":"scalar"},"locs":[{"a":88,"b":97}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":100,"b":115}]},{"name":"apiKeyId","required":true,"transform":{"type":"scalar"},"locs":[{"a":118,"b":127}]},{"name":"seconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":167,"b":175}]}],"statement":"INSERT INTO console_logins (code_hash, organization_id, api_key_id, expires_at)\nVALUES (:codeHash!, :organizationId!, :apiKeyId!, current_ts() + make_interval(secs => :seconds!))\nRETURNING expires_at"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO console_logins (code_hash, organization_id, api_key_id, expires_at)
 * VALUES (:codeHash!, :organizationId!, :apiKeyId!, current_ts() + make_interval(secs => :seconds!))
 * RETURNING expires_at
 * ```
 */
export const insertConsoleLogin = new PreparedQuery<InsertConsoleLoginParams,InsertConsoleLoginResult>(insertConsoleLoginIR);


/** 'TakeConsoleLogin' parameters type */
export interface TakeConsoleLoginParams {
  codeHash: string;
}

/** 'TakeConsoleLogin' return type */
export interface TakeConsoleLoginResult {
  api_key_id: string;
  is_current: boolean;
}

/** 'TakeConsoleLogin' query type */
export interface TakeConsoleLoginQuery {
  params: TakeConsoleLoginParams;
  result: TakeConsoleLoginResult;
}

const takeConsoleLoginIR: any = {"usedParamSet":{"codeHash":true},"params":[{"name":"codeHash","required":true,"transform":{"type":"scalar"},"locs":[{"a":204,"b":213}]}],"statement":"-- The organization is not known before the code is found, so this runs as spooled_system. Of two at once, one deletes the row.\n-- Index: console_logins_pkey.\nDELETE FROM console_logins WHERE code_hash = :codeHash! RETURNING api_key_id, expires_at > current_ts() AS \"is_current!\""};

/**
 * Query generated from SQL:
 * ```
 * -- The organization is not known before the code is found, so this runs as spooled_system. Of two at once, one deletes the row.
 * -- Index: console_logins_pkey.
 * DELETE FROM console_logins WHERE code_hash = :codeHash! RETURNING api_key_id, expires_at > current_ts() AS "is_current!"
 * ```
 */
export const takeConsoleLogin = new PreparedQuery<TakeConsoleLoginParams,TakeConsoleLoginResult>(takeConsoleLoginIR);


/** 'InsertAdministratorSession' parameters type */
export interface InsertAdministratorSessionParams {
  seconds: number;
  sessionId: string;
}

/** 'InsertAdministratorSession' return type */
export type InsertAdministratorSessionResult = void;

/** 'InsertAdministratorSession' query type */
export interface InsertAdministratorSessionQuery {
  params: InsertAdministratorSessionParams;
  result: InsertAdministratorSessionResult;
}

const insertAdministratorSessionIR: any = {"usedParamSet":{"sessionId":true,"seconds":true},"params":[{"name":"sessionId","required":true,"transform":{"type":"scalar"},"locs":[{"a":68,"b":78}]},{"name":"seconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":118,"b":126}]}],"statement":"INSERT INTO administrator_sessions (session_id, expires_at) VALUES (:sessionId!, current_ts() + make_interval(secs => :seconds!))"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO administrator_sessions (session_id, expires_at) VALUES (:sessionId!, current_ts() + make_interval(secs => :seconds!))
 * ```
 */
export const insertAdministratorSession = new PreparedQuery<InsertAdministratorSessionParams,InsertAdministratorSessionResult>(insertAdministratorSessionIR);


/** 'FindAdministratorSession' parameters type */
export interface FindAdministratorSessionParams {
  sessionId: string;
}

/** 'FindAdministratorSession' return type */
export interface FindAdministratorSessionResult {
  session_id: string;
}

/** 'FindAdministratorSession' query type */
export interface FindAdministratorSessionQuery {
  params: FindAdministratorSessionParams;
  result: FindAdministratorSessionResult;
}

const findAdministratorSessionIR: any = {"usedParamSet":{"sessionId":true},"params":[{"name":"sessionId","required":true,"transform":{"type":"scalar"},"locs":[{"a":65,"b":75}]}],"statement":"SELECT session_id FROM administrator_sessions WHERE session_id = :sessionId! AND expires_at > current_ts()"};

/**
 * Query generated from SQL:
 * ```
 * SELECT session_id FROM administrator_sessions WHERE session_id = :sessionId! AND expires_at > current_ts()
 * ```
 */
export const findAdministratorSession = new PreparedQuery<FindAdministratorSessionParams,FindAdministratorSessionResult>(findAdministratorSessionIR);


/** 'DeleteAdministratorSession' parameters type */
export interface DeleteAdministratorSessionParams {
  sessionId: string;
}

/** 'DeleteAdministratorSession' return type */
export type DeleteAdministratorSessionResult = void;

/** 'DeleteAdministratorSession' query type */
export interface DeleteAdministratorSessionQuery {
  params: DeleteAdministratorSessionParams;
  result: DeleteAdministratorSessionResult;
}

const deleteAdministratorSessionIR: any = {"usedParamSet":{"sessionId":true},"params":[{"name":"sessionId","required":true,"transform":{"type":"scalar"},"locs":[{"a":54,"b":64}]}],"statement":"DELETE FROM administrator_sessions WHERE session_id = :sessionId!"};

/**
 * Query generated from SQL:
 * ```
 * DELETE FROM administrator_sessions WHERE session_id = :sessionId!
 * ```
 */
export const deleteAdministratorSession = new PreparedQuery<DeleteAdministratorSessionParams,DeleteAdministratorSessionResult>(deleteAdministratorSessionIR);


