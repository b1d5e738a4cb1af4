import { fillPending } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { Scenario } from '../scenario.js';

const connectionsByDefault = [1, 16];
const jobsInQueue = 10_000;

export const list: Scenario = {
  name: 'list',
  what: 'GET /api/v1/jobs?limit=100 of a queue; an operation is a request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'jobs in the queue': jobsInQueue }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const organizations = [stack.organizationId];
    await fillPending({ ...bench, say: () => undefined }, { rows: jobsInQueue, organizations, queues: 1 });
    for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
      await measure({ name: `${connections} connections`, settings: { connections } }, (window) =>
        closedLoop(stack, window, connections, (connection) =>
          connection.get('/api/v1/jobs?limit=100&queue_name=pending-0'),
        ),
      );
    }
  },
};
