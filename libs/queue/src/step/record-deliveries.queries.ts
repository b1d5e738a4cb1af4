/** Types generated for queries found in "libs/queue/src/step/record-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordEvents' parameters type */
export interface RecordEventsParams {
  batch: string;
}

/** 'RecordEvents' return type */
export interface RecordEventsResult {
  recorded: unknown;
}

/** 'RecordEvents' query type */
export interface RecordEventsQuery {
  params: RecordEventsParams;
  result: RecordEventsResult;
}

const recordEventsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":24,"b":30}]}],"statement":"SELECT record_events_v1(:batch!) AS \"recorded!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT record_events_v1(:batch!) AS "recorded!"
 * ```
 */
export const recordEvents = new PreparedQuery<RecordEventsParams,RecordEventsResult>(recordEventsIR);


/** 'RecordCancellations' parameters type */
export interface RecordCancellationsParams {
  batch: string;
}

/** 'RecordCancellations' return type */
export interface RecordCancellationsResult {
  recorded: unknown;
}

/** 'RecordCancellations' query type */
export interface RecordCancellationsQuery {
  params: RecordCancellationsParams;
  result: RecordCancellationsResult;
}

const recordCancellationsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":31,"b":37}]}],"statement":"SELECT record_cancellations_v1(:batch!) AS \"recorded!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT record_cancellations_v1(:batch!) AS "recorded!"
 * ```
 */
export const recordCancellations = new PreparedQuery<RecordCancellationsParams,RecordCancellationsResult>(recordCancellationsIR);


