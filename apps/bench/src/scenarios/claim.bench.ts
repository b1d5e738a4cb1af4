import { fillPending } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { Scenario } from '../scenario.js';

const queue = 'pending-0';
const limits = [1, 10, 100];
const connectionsByDefault = 16;
/** More jobs a second than any machine of this kind claims; when they run out after all, the window ends early. */
const enoughASecond: Record<number, number> = { 1: 8_000, 10: 25_000, 100: 40_000 };

export const claim: Scenario = {
  name: 'claim',
  what: 'POST /api/v1/jobs/claim from a full queue; an operation is a job, a latency that of a request',
  settings: ({ payloadBytes, connections }) => ({
    'payload bytes': payloadBytes,
    connections: connections[0] ?? connectionsByDefault,
  }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const connections = options.connections[0] ?? connectionsByDefault;
    for (const limit of limits) {
      await stack.empty();
      const rows = Math.ceil((options.seconds + options.warmup) * enoughASecond[limit]!);
      await fillPending({ ...bench, say: () => undefined }, { rows, organizations: [stack.organizationId], queues: 1 });
      const body = JSON.stringify({ queue_name: queue, worker_id: 'bench', limit, lease_duration_secs: 3_600 });
      let isEmpty = false;
      await measure({ name: `${limit} a request`, settings: { limit, 'pending jobs': rows } }, (window) =>
        closedLoop(
          stack,
          window,
          connections,
          (lane) => (isEmpty ? undefined : lane.post('/api/v1/jobs/claim', body)),
          (answer) => {
            // Counted by a name that each job has once: reading 100 jobs costs as much as sending ten requests.
            const jobs = answer.body.split('"lease_id":').length - 1;
            isEmpty ||= jobs === 0;
            return jobs;
          },
        ),
      );
    }
  },
};
