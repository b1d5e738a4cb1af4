import type { BenchRun } from '../scenario.js';
import type { Window } from '../measure/window.js';
import { withConnections } from './closed-loop.js';
import { countRequest, type HttpResponse, type HttpConnection } from './http-connection.js';
import { openLoop } from './open-loop.js';
import { bulkBody, jobBody } from './payload.js';
import { bulkSize } from './producers.js';
import { completion, succeeded } from './work-over-rest.js';

export interface TenantQueue {
  apiKey: string;
  queue: string;
}

export interface Traffic {
  baseUrl: string;
  /** Queue of the next operation. */
  next(): TenantQueue;
  payloadBytes: number;
  /** Prefix of its row names, if several kinds of traffic share a window. */
  prefix?: string;
}

/** Traffic of these queues; by default of one of the bench's organization. */
export function trafficOf({ stack, options }: BenchRun, queue: string | (() => TenantQueue), prefix?: string): Traffic {
  const next = typeof queue === 'string' ? () => ({ apiKey: stack.apiKey, queue }) : queue;
  return { baseUrl: stack.baseUrl, payloadBytes: options.payloadBytes, next, prefix };
}

const worker = 'bench';

/**
 * Open loop: `perSecond` times a second an enqueue, then a claim of one job of that queue (not necessarily the same job), then
 * its completion. Rows: `enqueue` (measured from its due time), `claim`, `complete`.
 */
export function steadyTraffic(window: Window, traffic: Traffic, perSecond: number): Promise<void> {
  const bodyOf = prepared((queue) => jobBody(queue, traffic.payloadBytes));
  return openLoop({ baseUrl: traffic.baseUrl, apiKey: '' }, window, perSecond, async (connection, dueAt) => {
    const { apiKey, queue } = traffic.next();
    const caller = new Caller(window, connection, apiKey, traffic.prefix);
    if (!(await caller.post('enqueue', '/api/v1/jobs', bodyOf(queue), dueAt))) return;
    const jobs = await caller.claim(queue, 1);
    for (const { id, lease_id } of jobs) {
      await caller.post('complete', `/api/v1/jobs/${id}/complete`, JSON.stringify({ worker_id: worker, lease_id }));
    }
  });
}

/**
 * Closed loop: each of `loops` connections repeatedly enqueues 100 jobs in one request, claims 100 and completes them. Rows as
 * of `steadyTraffic`, which count requests, and `cycle`, which counts completed jobs.
 *
 * @param beforeRound - awaited before each round; may limit the rate
 */
export function cycles(
  window: Window,
  traffic: Traffic,
  loops: number,
  beforeRound: () => Promise<void> | void = () => undefined,
): Promise<void> {
  const bodyOf = prepared((queue) => bulkBody(queue, traffic.payloadBytes, bulkSize));
  const round = async (connection: HttpConnection): Promise<void> => {
    const startedAt = performance.now();
    const { apiKey, queue } = traffic.next();
    const caller = new Caller(window, connection, apiKey, traffic.prefix);
    if (!(await caller.post('enqueue', '/api/v1/jobs/bulk', bodyOf(queue)))) return;
    const held = await caller.claim(queue, bulkSize);
    if (held.length === 0) return;
    const response = await caller.post('complete', '/api/v1/jobs/complete/bulk', completion(worker, held));
    if (response) window.count(startedAt, succeeded(response), caller.row('cycle'));
  };
  return withConnections(traffic.baseUrl, '', loops, async (connection) => {
    while (!window.over) {
      await beforeRound();
      if (!window.over) await round(connection);
    }
  });
}

/** Caches bodies by queue, to save CPU time of the load generator. */
function prepared(create: (queue: string) => string): (queue: string) => string {
  const bodies = new Map<string, string>();
  return (queue) => {
    const body = bodies.get(queue) ?? create(queue);
    bodies.set(queue, body);
    return body;
  };
}

/** Sends a caller's requests and records them in the window. */
class Caller {
  constructor(
    private readonly window: Window,
    private readonly connection: HttpConnection,
    private readonly apiKey: string,
    private readonly prefix = '',
  ) {}

  row(name: string): string {
    return `${this.prefix}${name}`;
  }

  async claim(queue: string, limit: number): Promise<{ id: string; lease_id: string }[]> {
    const body = JSON.stringify({ queue_name: queue, worker_id: worker, limit });
    const response = await this.post('claim', '/api/v1/jobs/claim', body);
    if (!response) return [];
    const { jobs } = JSON.parse(response.body) as { jobs: { id: string; lease_id: string }[] };
    if (jobs.length === 0) this.window.fail('nothing to claim', this.row('claim'));
    return jobs;
  }

  /** Null if it failed; the failure is recorded in the window. */
  post(name: string, path: string, body: string, startedAt = performance.now()): Promise<HttpResponse | null> {
    return countRequest(this.connection.post(path, body, this.apiKey), this.window, this.row(name), startedAt);
  }
}
