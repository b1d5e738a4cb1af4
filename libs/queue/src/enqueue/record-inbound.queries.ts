/** Types generated for queries found in "libs/queue/src/enqueue/record-inbound.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordInbound' parameters type */
export interface RecordInboundParams {
  batch: string;
}

/** 'RecordInbound' return type */
export interface RecordInboundResult {
  done: undefined | null;
}

/** 'RecordInbound' query type */
export interface RecordInboundQuery {
  params: RecordInboundParams;
  result: RecordInboundResult;
}

const recordInboundIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":25,"b":31}]}],"statement":"SELECT record_inbound_v1(:batch!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT record_inbound_v1(:batch!) AS done
 * ```
 */
export const recordInbound = new PreparedQuery<RecordInboundParams,RecordInboundResult>(recordInboundIR);


