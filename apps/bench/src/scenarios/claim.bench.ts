import { fillQueue, filledQueue } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { Scenario } from '../scenario.js';

const limits = [1, 10, 100];
const connectionsByDefault = 16;
/** Pending jobs per second of the run, by limit: more than can be claimed. If they run out, the window closes early. */
const jobsPerSecond: Record<number, number> = { 1: 8_000, 10: 25_000, 100: 40_000 };

export const claim: Scenario = {
  name: 'claim',
  what: 'POST /api/v1/jobs/claim from a full queue; an operation is a job; latencies are per request',
  settings: ({ payloadBytes, connections }) => ({
    'payload bytes': payloadBytes,
    connections: connections[0] ?? connectionsByDefault,
  }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const connections = options.connections[0] ?? connectionsByDefault;
    for (const limit of limits) {
      await stack.empty();
      const rows = Math.ceil((options.seconds + options.warmup) * jobsPerSecond[limit]!);
      await fillQueue(bench, rows);
      const body = JSON.stringify({ queue_name: filledQueue, worker_id: 'bench', limit, lease_duration_secs: 3_600 });
      let isEmpty = false;
      await measure({ name: `${limit} a request`, settings: { limit, 'pending jobs': rows } }, (window) =>
        closedLoop(
          stack,
          window,
          connections,
          (connection) => (isEmpty ? undefined : connection.post('/api/v1/jobs/claim', body)),
          (response) => {
            // Counts occurrences of a key: parsing 100 jobs costs as much CPU as sending ten requests.
            const jobs = response.body.split('"lease_id":').length - 1;
            isEmpty ||= jobs === 0;
            return jobs;
          },
        ),
      );
    }
  },
};
