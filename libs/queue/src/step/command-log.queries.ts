/** Types generated for queries found in "libs/queue/src/step/command-log.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindLoggedOutcomes' parameters type */
export interface FindLoggedOutcomesParams {
  batch: string;
}

/** 'FindLoggedOutcomes' return type */
export interface FindLoggedOutcomesResult {
  outcomes: string;
}

/** 'FindLoggedOutcomes' query type */
export interface FindLoggedOutcomesQuery {
  params: FindLoggedOutcomesParams;
  result: FindLoggedOutcomesResult;
}

const findLoggedOutcomesIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":26,"b":32}]}],"statement":"SELECT logged_outcomes_v1(:batch!) AS \"outcomes!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT logged_outcomes_v1(:batch!) AS "outcomes!"
 * ```
 */
export const findLoggedOutcomes = new PreparedQuery<FindLoggedOutcomesParams,FindLoggedOutcomesResult>(findLoggedOutcomesIR);


/** 'LogOutcomes' parameters type */
export interface LogOutcomesParams {
  batch: string;
}

/** 'LogOutcomes' return type */
export interface LogOutcomesResult {
  done: undefined | null;
}

/** 'LogOutcomes' query type */
export interface LogOutcomesQuery {
  params: LogOutcomesParams;
  result: LogOutcomesResult;
}

const logOutcomesIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":23,"b":29}]}],"statement":"SELECT log_outcomes_v1(:batch!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT log_outcomes_v1(:batch!) AS done
 * ```
 */
export const logOutcomes = new PreparedQuery<LogOutcomesParams,LogOutcomesResult>(logOutcomesIR);


/** 'LogRefusal' parameters type */
export interface LogRefusalParams {
  id: string;
  organizationId: string;
  outcome: string;
}

/** 'LogRefusal' return type */
export type LogRefusalResult = void;

/** 'LogRefusal' query type */
export interface LogRefusalQuery {
  params: LogRefusalParams;
  result: LogRefusalResult;
}

const logRefusalIR: any = {"usedParamSet":{"organizationId":true,"id":true,"outcome":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":71,"b":86}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":89,"b":92}]},{"name":"outcome","required":true,"transform":{"type":"scalar"},"locs":[{"a":95,"b":103}]}],"statement":"INSERT INTO command_log (organization_id, command_id, outcome) VALUES (:organizationId!, :id!, :outcome!) ON CONFLICT DO NOTHING"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO command_log (organization_id, command_id, outcome) VALUES (:organizationId!, :id!, :outcome!) ON CONFLICT DO NOTHING
 * ```
 */
export const logRefusal = new PreparedQuery<LogRefusalParams,LogRefusalResult>(logRefusalIR);


