import { payloadOf } from './payload.js';

/** Jobs in one bulk request. */
export const bulkSize = 100;

/** Bodies of `POST /api/v1/jobs/bulk` whose payloads contain the time of sending; assembled from prepared text. */
export class TimedBulkBody {
  private readonly head: string;
  private readonly tail: string;

  constructor(queue: string, payloadBytes: number) {
    this.head = `{"queue_name":${JSON.stringify(queue)},"jobs":[`;
    const room = payloadBytes - '{"at":123456.789,"data":""}'.length;
    this.tail = `,"data":"${payloadOf(Math.max(0, room) + '{"data":""}'.length).data}"}}`;
  }

  /** `at`: ms of `performance.now()`. */
  at(at: number): string {
    const job = `{"payload":{"at":${at.toFixed(3)}${this.tail}`;
    return `${this.head}${`${job},`.repeat(bulkSize - 1)}${job}]}`;
  }
}
