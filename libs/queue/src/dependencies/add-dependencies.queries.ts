/** Types generated for queries found in "libs/queue/src/dependencies/add-dependencies.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'AddDependencies' parameters type */
export interface AddDependenciesParams {
  id: string;
  mode?: string | null | void;
  organizationId: string;
  parents: stringArray;
  queues?: stringArray | null | void;
}

/** 'AddDependencies' return type */
export interface AddDependenciesResult {
  answer: unknown;
}

/** 'AddDependencies' query type */
export interface AddDependenciesQuery {
  params: AddDependenciesParams;
  result: AddDependenciesResult;
}

const addDependenciesIR: any = {"usedParamSet":{"organizationId":true,"id":true,"parents":true,"mode":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":42}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":45,"b":48}]},{"name":"parents","required":true,"transform":{"type":"scalar"},"locs":[{"a":51,"b":59}]},{"name":"mode","required":false,"transform":{"type":"scalar"},"locs":[{"a":62,"b":66}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":69,"b":75}]}],"statement":"SELECT add_dependencies_v1(:organizationId!, :id!, :parents!, :mode, :queues) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT add_dependencies_v1(:organizationId!, :id!, :parents!, :mode, :queues) AS "answer!"
 * ```
 */
export const addDependencies = new PreparedQuery<AddDependenciesParams,AddDependenciesResult>(addDependenciesIR);


