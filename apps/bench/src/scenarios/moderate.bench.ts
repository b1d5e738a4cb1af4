import { filledQueue as queue } from '../fill/fill-jobs.js';
import { holdJobs } from '../load/hold-jobs.js';
import { countRequest, type HttpResponse, type HttpConnection } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import { jobBody } from '../load/payload.js';
import { isBetter, published } from '../published-latencies.js';
import type { Row } from '../report.js';
import type { Scenario } from '../scenario.js';

const ratePerSecond = 200;
const worker = 'bench';
/** Factor of pending and claimed jobs, so that no claim or completion finds nothing. */
const spare = 1.5;

/** Each is a fifth of the load. */
const kinds = Object.keys(published);

export const moderate: Scenario = {
  name: 'moderate',
  what: 'a fifth each of health, enqueue, claim, complete and list, one job per request, at a fixed rate',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'requests a second': ratePerSecond }),
  async run(bench) {
    const { stack, options, measure, say } = bench;
    const perKind = Math.ceil(((options.seconds + options.warmup) * ratePerSecond * spare) / kinds.length);
    const held = await holdJobs(bench, worker, perKind);
    const enqueue = jobBody(queue, options.payloadBytes);
    const claim = JSON.stringify({ queue_name: queue, worker_id: worker, limit: 1, lease_duration_secs: 3_600 });
    const requests: Record<string, (connection: HttpConnection) => Promise<HttpResponse>> = {
      health: (connection) => connection.get('/health'),
      enqueue: (connection) => connection.post('/api/v1/jobs', enqueue),
      claim: (connection) => connection.post('/api/v1/jobs/claim', claim),
      complete: async (connection) => {
        const { id, lease_id } = held.pop()!;
        return connection.post(`/api/v1/jobs/${id}/complete`, JSON.stringify({ worker_id: worker, lease_id }));
      },
      'list 100': (connection) => connection.get(`/api/v1/jobs?limit=100&queue_name=${queue}`),
    };
    let next = 0;
    const step = await measure({ name: `${ratePerSecond}/s` }, (window) =>
      openLoop(stack, window, ratePerSecond, async (connection, dueAt) => {
        const kind = kinds[next++ % kinds.length]!;
        await countRequest(requests[kind]!(connection), window, kind, dueAt);
      }),
    );
    for (const kind of kinds) say(compareWithPublished(kind, step.rows));
  },
};

function compareWithPublished(kind: string, rows: Row[]): string {
  const { limits } = published[kind]!;
  const latency = rows.find(({ name }) => name === kind)?.latency;
  const verdict = latency && isBetter(latency, limits) ? 'better' : 'NOT BETTER';
  return `    ${kind.padEnd(9)} published p50 / p95 / p99 ${limits.join(' / ')} ms: ${verdict}`;
}
