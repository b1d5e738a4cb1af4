/** Types generated for queries found in "libs/data-access/src/gauges/read-gauges.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadGauges' parameters type */
export type ReadGaugesParams = void;

/** 'ReadGauges' return type */
export interface ReadGaugesResult {
  name: string;
  value: number;
}

/** 'ReadGauges' query type */
export interface ReadGaugesQuery {
  params: ReadGaugesParams;
  result: ReadGaugesResult;
}

const readGaugesIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT name, value FROM system_gauges WHERE updated_at > current_ts() - interval '2 minutes'"};

/**
 * Query generated from SQL:
 * ```
 * SELECT name, value FROM system_gauges WHERE updated_at > current_ts() - interval '2 minutes'
 * ```
 */
export const readGauges = new PreparedQuery<ReadGaugesParams,ReadGaugesResult>(readGaugesIR);


