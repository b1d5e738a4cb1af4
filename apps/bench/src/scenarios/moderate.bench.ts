import { holdJobs } from '../load/hold-jobs.js';
import type { HttpResponse, HttpConnection } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import { jobBody } from '../load/payload.js';
import { isBetter, published } from '../published-latencies.js';
import type { Window } from '../measure/window.js';
import type { Row } from '../report.js';
import type { Scenario } from '../scenario.js';

const ratePerSecond = 200;
const worker = 'bench';
const queue = 'pending-0';
/** Jobs that wait, and jobs that are held, so that no claim and no completion finds nothing. */
const spare = 1.5;

/** Each is a fifth of the load. */
const kinds = Object.keys(published);

export const moderate: Scenario = {
  name: 'moderate',
  what: 'a fifth each of health, enqueue, claim, complete and list, one job a request, at a fixed rate',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'requests a second': ratePerSecond }),
  async run(bench) {
    const { stack, options, measure, say } = bench;
    const perKind = Math.ceil(((options.seconds + options.warmup) * ratePerSecond * spare) / kinds.length);
    const held = await holdJobs(bench, worker, perKind);
    const enqueue = jobBody(queue, options.payloadBytes);
    const claim = JSON.stringify({ queue_name: queue, worker_id: worker, limit: 1, lease_duration_secs: 3_600 });
    const requests: Record<string, (lane: HttpConnection) => Promise<HttpResponse>> = {
      health: (lane) => lane.get('/health'),
      enqueue: (lane) => lane.post('/api/v1/jobs', enqueue),
      claim: (lane) => lane.post('/api/v1/jobs/claim', claim),
      complete: (lane) => {
        const { id, lease_id } = held.pop()!;
        return lane.post(`/api/v1/jobs/${id}/complete`, JSON.stringify({ worker_id: worker, lease_id }));
      },
      'list 100': (lane) => lane.get(`/api/v1/jobs?limit=100&queue_name=${queue}`),
    };
    let turn = 0;
    const step = await measure({ name: `${ratePerSecond}/s` }, (window) =>
      openLoop(stack, window, ratePerSecond, (lane, dueAt) => {
        const kind = kinds[turn++ % kinds.length]!;
        return timed(window, kind, dueAt, () => requests[kind]!(lane));
      }),
    );
    for (const kind of kinds) say(besidePublished(kind, step.rows));
  },
};

async function timed(window: Window, kind: string, dueAt: number, ask: () => Promise<HttpResponse>): Promise<void> {
  try {
    const { status, body } = await ask();
    if (status >= 400) window.fail(`${status} ${body.slice(0, 120)}`, kind);
    else window.count(dueAt, 1, kind);
  } catch (error) {
    window.fail((error as Error).message, kind);
  }
}

function besidePublished(kind: string, rows: Row[]): string {
  const limits = published[kind]!;
  const latency = rows.find(({ name }) => name === kind)?.latency;
  const verdict = latency && isBetter(latency, limits) ? 'better' : 'NOT BETTER';
  return `    ${kind.padEnd(9)} published p50 / p95 / p99 ${limits.join(' / ')} ms: ${verdict}`;
}
