/** Types generated for queries found in "libs/data-access/src/jobs/are-dependencies-met.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'AreDependenciesMet' parameters type */
export interface AreDependenciesMetParams {
  id: string;
  mode?: string | null | void;
}

/** 'AreDependenciesMet' return type */
export interface AreDependenciesMetResult {
  met: boolean;
}

/** 'AreDependenciesMet' query type */
export interface AreDependenciesMetQuery {
  params: AreDependenciesMetParams;
  result: AreDependenciesMetResult;
}

const areDependenciesMetIR: any = {"usedParamSet":{"id":true,"mode":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":133,"b":136}]},{"name":"mode","required":false,"transform":{"type":"scalar"},"locs":[{"a":139,"b":143}]}],"statement":"-- Whether no parent blocks the job; for one that has ended, because its live row said so until then.\nSELECT are_dependencies_met_v1(:id!, :mode) AS \"met!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Whether no parent blocks the job; for one that has ended, because its live row said so until then.
 * SELECT are_dependencies_met_v1(:id!, :mode) AS "met!"
 * ```
 */
export const areDependenciesMet = new PreparedQuery<AreDependenciesMetParams,AreDependenciesMetResult>(areDependenciesMetIR);


