/** Types generated for queries found in "libs/queue/src/step/set-actor.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'SetActor' parameters type */
export interface SetActorParams {
  actor?: string | null | void;
  address?: string | null | void;
  reason?: string | null | void;
  userAgent?: string | null | void;
}

/** 'SetActor' return type */
export interface SetActorResult {
  actor: string | null;
  address: string | null;
  reason: string | null;
  user_agent: string | null;
}

/** 'SetActor' query type */
export interface SetActorQuery {
  params: SetActorParams;
  result: SetActorResult;
}

const setActorIR: any = {"usedParamSet":{"actor":true,"reason":true,"address":true,"userAgent":true},"params":[{"name":"actor","required":false,"transform":{"type":"scalar"},"locs":[{"a":173,"b":178}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":236,"b":242}]},{"name":"address","required":false,"transform":{"type":"scalar"},"locs":[{"a":304,"b":311}]},{"name":"userAgent","required":false,"transform":{"type":"scalar"},"locs":[{"a":377,"b":386}]}],"statement":"-- Who acts in this transaction, why, and from where, for the history of the jobs that it touches and the audit log; null = unknown.\nSELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason,\n  set_config('app.address', coalesce(:address, ''), true) AS address,\n  set_config('app.user_agent', coalesce(:userAgent, ''), true) AS user_agent"};

/**
 * Query generated from SQL:
 * ```
 * -- Who acts in this transaction, why, and from where, for the history of the jobs that it touches and the audit log; null = unknown.
 * SELECT set_config('app.actor', coalesce(:actor, ''), true) AS actor, set_config('app.reason', coalesce(:reason, ''), true) AS reason,
 *   set_config('app.address', coalesce(:address, ''), true) AS address,
 *   set_config('app.user_agent', coalesce(:userAgent, ''), true) AS user_agent
 * ```
 */
export const setActor = new PreparedQuery<SetActorParams,SetActorResult>(setActorIR);


