/** Types generated for queries found in "libs/queue/src/step/set-acting.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'SetActing' parameters type */
export interface SetActingParams {
  actor?: string | null | void;
  reason?: string | null | void;
}

/** 'SetActing' return type */
export interface SetActingResult {
  actor: string | null;
  reason: string | null;
}

/** 'SetActing' query type */
export interface SetActingQuery {
  params: SetActingParams;
  result: SetActingResult;
}

const setActingIR: any = {"usedParamSet":{"actor":true,"reason":true},"params":[{"name":"actor","required":false,"transform":{"type":"scalar"},"locs":[{"a":142,"b":147}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":205,"b":211}]}],"statement":"-- Who acts in this transaction and why, for the history of the jobs that it touches; null = unknown.\nSELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason"};

/**
 * Query generated from SQL:
 * ```
 * -- Who acts in this transaction and why, for the history of the jobs that it touches; null = unknown.
 * SELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason
 * ```
 */
export const setActing = new PreparedQuery<SetActingParams,SetActingResult>(setActingIR);


