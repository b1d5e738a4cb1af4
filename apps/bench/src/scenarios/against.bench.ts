import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BacklogLimit } from '../load/backlog-limit.js';
import { closedLoop, type Endpoint, withConnections } from '../load/closed-loop.js';
import { type HttpConnection, refusal } from '../load/http-connection.js';
import { bulkBody, jobBody } from '../load/payload.js';
import { bulkSize, produceBulk, TimedBulkBody } from '../load/producers.js';
import { type ClaimRequest, claimJobs, completeJob } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { StepReport } from '../report.js';
import type { Scenario } from '../scenario.js';

/** An even number, so that each server is measured first as often as second. */
const rounds = 4;
const queue = 'bench-against';
const producers = 4;
const workers = 16;
const ahead = 2_000;
const claimSize = 50;
/** Delay of a worker after an empty claim. */
const pauseMs = 5;

interface AgainstLoad {
  name: string;
  run(endpoint: Endpoint, window: Window): Promise<void>;
}

export const against: Scenario = {
  name: 'against',
  what: 'the same REST requests to this server and to the one of --against, in turns; only routes of the published contract',
  onDemand: true,
  settings: ({ payloadBytes, against: other }) => ({
    'payload bytes': payloadBytes,
    rounds,
    'other server': other?.baseUrl ?? 'none',
  }),
  async run(bench) {
    const { stack, options, compare } = bench;
    if (!options.against) throw new Error('needs --against URL --key KEY');
    await requireAnswer(options.against);
    const servers: [string, Endpoint][] = [
      ['this', stack],
      ['other', options.against],
    ];
    for (const load of loadsOf(options.payloadBytes)) {
      const steps: Record<string, StepReport[]> = { this: [], other: [] };
      for (let round = 0; round < rounds; round++) {
        for (const [name, endpoint] of round % 2 ? servers.toReversed() : servers) {
          await stack.empty();
          const plan = { name: `${load.name}, ${name}, round ${round + 1}` };
          steps[name]!.push(await bench.measure(plan, (window) => load.run(endpoint, window)));
        }
      }
      compare(medianOf(steps['other']!), medianOf(steps['this']!));
    }
  },
};

/** @throws Error with the answer of a server that refuses the key */
async function requireAnswer({ baseUrl, apiKey }: Endpoint): Promise<void> {
  await withConnections(baseUrl, apiKey, 1, async (connection) => {
    const response = await connection.get('/api/v1/jobs?limit=1');
    if (response.status !== 200) throw new Error(`--against: GET /api/v1/jobs answered ${refusal(response)}`);
  });
}

/** The round with the lower median rate, so that a figure is one that was measured. */
const medianOf = (steps: StepReport[]): StepReport =>
  steps.toSorted((a, b) => a.operations / a.seconds - b.operations / b.seconds)[Math.floor((steps.length - 1) / 2)]!;

function loadsOf(payloadBytes: number): AgainstLoad[] {
  const single = jobBody(queue, payloadBytes);
  const many = bulkBody(queue, payloadBytes, bulkSize);
  const post = (path: string, body: string, connections: number) => (endpoint: Endpoint, window: Window) =>
    closedLoop(endpoint, window, connections, (connection) => connection.post(path, body));
  return [
    ...[1, 16, 64].map((connections) => ({
      name: `POST, ${connections} connections`,
      run: post('/api/v1/jobs', single, connections),
    })),
    { name: `bulk POST of ${bulkSize}, 4 connections`, run: post('/api/v1/jobs/bulk', many, 4) },
    { name: 'whole cycle', run: (endpoint, window) => runCycle(endpoint, window, payloadBytes) },
  ];
}

/** Bulk enqueue, claim, one completion per job; counted when completed, measured from the send of the enqueue. */
async function runCycle({ baseUrl, apiKey }: Endpoint, window: Window, payloadBytes: number): Promise<void> {
  const backlog = new BacklogLimit(ahead, window.signal);
  // Jobs that an earlier round has left are not measured.
  const name = `${queue}-${randomUUID().slice(0, 8)}`;
  const bulk = new TimedBulkBody(name, payloadBytes);
  await withConnections(baseUrl, apiKey, producers + workers, (connection, i) =>
    i < producers
      ? produceBulk(connection, window, backlog, bulk)
      : work(connection, window, backlog, { queue: name, worker: `worker-${i}`, limit: claimSize }),
  );
}

async function work(
  connection: HttpConnection,
  window: Window,
  backlog: BacklogLimit,
  claim: ClaimRequest,
): Promise<void> {
  while (!window.over) {
    const jobs = await claimJobs(connection, claim);
    if (jobs.length === 0) await sleep(pauseMs);
    for (const job of jobs) {
      const problem = await completeJob(connection, claim.worker, job);
      backlog.release(1);
      if (problem) window.fail(problem);
      else window.count(job.payload.at!);
    }
  }
}
