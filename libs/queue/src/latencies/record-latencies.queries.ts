/** Types generated for queries found in "libs/queue/src/latencies/record-latencies.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordLatencies' parameters type */
export interface RecordLatenciesParams {
  batch: string;
}

/** 'RecordLatencies' return type */
export interface RecordLatenciesResult {
  answer: undefined;
}

/** 'RecordLatencies' query type */
export interface RecordLatenciesQuery {
  params: RecordLatenciesParams;
  result: RecordLatenciesResult;
}

const recordLatenciesIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":33}]}],"statement":"SELECT record_latencies_v1(:batch!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT record_latencies_v1(:batch!) AS "answer!"
 * ```
 */
export const recordLatencies = new PreparedQuery<RecordLatenciesParams,RecordLatenciesResult>(recordLatenciesIR);


