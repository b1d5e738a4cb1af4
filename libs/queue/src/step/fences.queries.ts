/** Types generated for queries found in "libs/queue/src/step/fences.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'FenceCommands' parameters type */
export interface FenceCommandsParams {
  deliveries: numberArray;
  ids: stringArray;
}

/** 'FenceCommands' return type */
export interface FenceCommandsResult {
  done: undefined | null;
}

/** 'FenceCommands' query type */
export interface FenceCommandsQuery {
  params: FenceCommandsParams;
  result: FenceCommandsResult;
}

const fenceCommandsIR: any = {"usedParamSet":{"ids":true,"deliveries":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":100,"b":104}]},{"name":"deliveries","required":true,"transform":{"type":"scalar"},"locs":[{"a":107,"b":118}]}],"statement":"-- Fails with SQLSTATE SPF01 when a later delivery of one of them has run.\nSELECT fence_commands_v1(:ids!, :deliveries!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Fails with SQLSTATE SPF01 when a later delivery of one of them has run.
 * SELECT fence_commands_v1(:ids!, :deliveries!) AS done
 * ```
 */
export const fenceCommands = new PreparedQuery<FenceCommandsParams,FenceCommandsResult>(fenceCommandsIR);


/** 'FindFences' parameters type */
export interface FindFencesParams {
  ids: stringArray;
}

/** 'FindFences' return type */
export interface FindFencesResult {
  command_id: string;
  delivery: number;
}

/** 'FindFences' query type */
export interface FindFencesQuery {
  params: FindFencesParams;
  result: FindFencesResult;
}

const findFencesIR: any = {"usedParamSet":{"ids":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":72,"b":76}]}],"statement":"SELECT command_id, delivery FROM command_fences WHERE command_id = ANY (:ids!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT command_id, delivery FROM command_fences WHERE command_id = ANY (:ids!)
 * ```
 */
export const findFences = new PreparedQuery<FindFencesParams,FindFencesResult>(findFencesIR);


