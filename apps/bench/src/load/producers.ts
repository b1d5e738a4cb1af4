import { setTimeout as sleep } from 'node:timers/promises';
import type { Window } from '../measure/window.js';
import type { BacklogLimit } from './backlog-limit.js';
import { type HttpConnection, refusal } from './http-connection.js';
import { payloadOf } from './payload.js';

const refusedPauseMs = 5;

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

/** Enqueues in bulk over REST for as long as the backlog may grow. */
export async function produceBulk(
  connection: HttpConnection,
  window: Window,
  backlog: BacklogLimit,
  bulk: TimedBulkBody,
): Promise<void> {
  while (await backlog.reserve(bulkSize)) {
    const response = await connection.post('/api/v1/jobs/bulk', bulk.at(performance.now()));
    if (response.status < 400) continue;
    backlog.release(bulkSize);
    window.fail(refusal(response), '', bulkSize);
    // Another server may refuse at once for a while.
    await sleep(refusedPauseMs);
  }
}
