import type { Window } from '../measure/window.js';
import { withLanes } from './closed-loop.js';
import type { HttpResponse, HttpConnection } from './http-connection.js';
import { openLoop } from './open-loop.js';
import { bulkBody, jobBody } from './payload.js';
import { bulkSize } from './producers.js';

/** Whose jobs, and where. */
export interface Place {
  apiKey: string;
  queue: string;
}

export interface Traffic {
  baseUrl: string;
  /** Where the next operation happens. */
  next(): Place;
  payloadBytes: number;
  /** Put before the names of its rows, where several kinds of traffic share a window. */
  prefix?: string;
}

const worker = 'bench';

/**
 * Steady traffic, however the system copes: `perSecond` lives begin each second, each an enqueue, then a claim of one job of
 * that queue (not necessarily the same job), then its completion. Rows: `enqueue` (timed from when it was due), `claim`,
 * `complete`.
 */
export function lives(window: Window, traffic: Traffic, perSecond: number): Promise<void> {
  const bodies = new PreparedBodies((queue) => jobBody(queue, traffic.payloadBytes));
  return openLoop({ baseUrl: traffic.baseUrl, apiKey: '' }, window, perSecond, async (lane, dueAt) => {
    const { apiKey, queue } = traffic.next();
    const caller = new Caller(window, lane, apiKey, traffic.prefix);
    if (!(await caller.post('enqueue', '/api/v1/jobs', bodies.of(queue), dueAt))) return;
    const jobs = await caller.claim(queue, 1);
    for (const { id, lease_id } of jobs) {
      await caller.post('complete', `/api/v1/jobs/${id}/complete`, JSON.stringify({ worker_id: worker, lease_id }));
    }
  });
}

/**
 * Whole cycles as fast as they go: each of `loops` enqueues 100 jobs with one request, claims 100 and completes them, and begins
 * again. Rows as of `lives`, with requests as counts, and `cycle`, whose count is completed jobs.
 *
 * @param hold - awaited before each round, to keep the loops to a rate
 */
export function cycles(
  window: Window,
  traffic: Traffic,
  loops: number,
  hold: () => Promise<void> | void = () => undefined,
): Promise<void> {
  const bodies = new PreparedBodies((queue) => bulkBody(queue, traffic.payloadBytes, bulkSize));
  const round = async (lane: HttpConnection): Promise<void> => {
    const startedAt = performance.now();
    const { apiKey, queue } = traffic.next();
    const caller = new Caller(window, lane, apiKey, traffic.prefix);
    if (!(await caller.post('enqueue', '/api/v1/jobs/bulk', bodies.of(queue)))) return;
    const held = await caller.claim(queue, bulkSize);
    if (held.length === 0) return;
    const jobs = held.map(({ id, lease_id }) => ({ job_id: id, lease_id }));
    const body = JSON.stringify({ worker_id: worker, jobs });
    const answer = await caller.post('complete', '/api/v1/jobs/complete/bulk', body);
    if (!answer) return;
    const { success_count: completed } = JSON.parse(answer.body) as { success_count: number };
    window.count(startedAt, completed, caller.row('cycle'));
  };
  return withLanes(traffic.baseUrl, '', loops, async (lane) => {
    while (!window.over) {
      await hold();
      if (!window.over) await round(lane);
    }
  });
}

/** Bodies by queue, made once: a generator that makes each anew measures itself. */
class PreparedBodies {
  private readonly made = new Map<string, string>();

  constructor(private readonly make: (queue: string) => string) {}

  of(queue: string): string {
    let body = this.made.get(queue);
    if (!body) this.made.set(queue, (body = this.make(queue)));
    return body;
  }
}

/** One caller's requests on a connection, told to the window. */
class Caller {
  constructor(
    private readonly window: Window,
    private readonly lane: HttpConnection,
    private readonly apiKey: string,
    private readonly prefix = '',
  ) {}

  row(name: string): string {
    return `${this.prefix}${name}`;
  }

  async claim(queue: string, limit: number): Promise<{ id: string; lease_id: string }[]> {
    const body = JSON.stringify({ queue_name: queue, worker_id: worker, limit });
    const answer = await this.post('claim', '/api/v1/jobs/claim', body);
    if (!answer) return [];
    const { jobs } = JSON.parse(answer.body) as { jobs: { id: string; lease_id: string }[] };
    if (jobs.length === 0) this.window.fail('nothing to claim', this.row('claim'));
    return jobs;
  }

  /** Null where it failed, which the window then knows. */
  async post(name: string, path: string, body: string, startedAt = performance.now()): Promise<HttpResponse | null> {
    const answer = await this.lane.post(path, body, this.apiKey).catch((error: Error) => error);
    if (!(answer instanceof Error) && answer.status < 400) {
      this.window.count(startedAt, 1, this.row(name));
      return answer;
    }
    const reason = answer instanceof Error ? answer.message : `${answer.status} ${answer.body.slice(0, 120)}`;
    this.window.fail(reason, this.row(name));
    return null;
  }
}
