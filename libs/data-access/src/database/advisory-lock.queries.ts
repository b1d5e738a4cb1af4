/** Types generated for queries found in "libs/data-access/src/database/advisory-lock.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'KeepTransactionOpen' parameters type */
export interface KeepTransactionOpenParams {
  idleMs: string;
}

/** 'KeepTransactionOpen' return type */
export interface KeepTransactionOpenResult {
  set: string;
}

/** 'KeepTransactionOpen' query type */
export interface KeepTransactionOpenQuery {
  params: KeepTransactionOpenParams;
  result: KeepTransactionOpenResult;
}

const keepTransactionOpenIR: any = {"usedParamSet":{"idleMs":true},"params":[{"name":"idleMs","required":true,"transform":{"type":"scalar"},"locs":[{"a":57,"b":64}]}],"statement":"SELECT set_config('idle_in_transaction_session_timeout', :idleMs!, true) AS \"set!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT set_config('idle_in_transaction_session_timeout', :idleMs!, true) AS "set!"
 * ```
 */
export const keepTransactionOpen = new PreparedQuery<KeepTransactionOpenParams,KeepTransactionOpenResult>(keepTransactionOpenIR);


/** 'TryAdvisoryLock' parameters type */
export interface TryAdvisoryLockParams {
  name: string;
}

/** 'TryAdvisoryLock' return type */
export interface TryAdvisoryLockResult {
  acquired: boolean;
}

/** 'TryAdvisoryLock' query type */
export interface TryAdvisoryLockQuery {
  params: TryAdvisoryLockParams;
  result: TryAdvisoryLockResult;
}

const tryAdvisoryLockIR: any = {"usedParamSet":{"name":true},"params":[{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":50,"b":55}]}],"statement":"SELECT pg_try_advisory_xact_lock(hashtextextended(:name!, 0)) AS \"acquired!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT pg_try_advisory_xact_lock(hashtextextended(:name!, 0)) AS "acquired!"
 * ```
 */
export const tryAdvisoryLock = new PreparedQuery<TryAdvisoryLockParams,TryAdvisoryLockResult>(tryAdvisoryLockIR);


/** 'StayConnected' parameters type */
export type StayConnectedParams = void;

/** 'StayConnected' return type */
export interface StayConnectedResult {
  one: number;
}

/** 'StayConnected' query type */
export interface StayConnectedQuery {
  params: StayConnectedParams;
  result: StayConnectedResult;
}

const stayConnectedIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT 1 AS \"one!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT 1 AS "one!"
 * ```
 */
export const stayConnected = new PreparedQuery<StayConnectedParams,StayConnectedResult>(stayConnectedIR);


/** 'IsAdvisoryLockHeld' parameters type */
export interface IsAdvisoryLockHeldParams {
  name: string;
}

/** 'IsAdvisoryLockHeld' return type */
export interface IsAdvisoryLockHeldResult {
  held: boolean;
}

/** 'IsAdvisoryLockHeld' query type */
export interface IsAdvisoryLockHeldQuery {
  params: IsAdvisoryLockHeldParams;
  result: IsAdvisoryLockHeldResult;
}

const isAdvisoryLockHeldIR: any = {"usedParamSet":{"name":true},"params":[{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":191,"b":196}]}],"statement":"-- Whether another transaction holds the lock exclusively. Taken in shared mode for a moment, which no other such check prevents.\nSELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended(:name!, 0)) AS \"held!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Whether another transaction holds the lock exclusively. Taken in shared mode for a moment, which no other such check prevents.
 * SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended(:name!, 0)) AS "held!"
 * ```
 */
export const isAdvisoryLockHeld = new PreparedQuery<IsAdvisoryLockHeldParams,IsAdvisoryLockHeldResult>(isAdvisoryLockHeldIR);


