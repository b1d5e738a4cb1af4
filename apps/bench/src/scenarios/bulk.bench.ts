import { closedLoop } from '../load/closed-loop.js';
import { bulkBody } from '../load/payload.js';
import type { Scenario } from '../scenario.js';

const connectionsByDefault = [1, 4, 16];
const jobs = 100;

export const bulk: Scenario = {
  name: 'bulk',
  what: 'POST /api/v1/jobs/bulk; an operation is a job; latencies are per request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'jobs a request': jobs }),
  async run({ stack, options, measure }) {
    const body = bulkBody('bench-bulk', options.payloadBytes, jobs);
    const accepted = (response: { body: string }) =>
      (JSON.parse(response.body) as { success_count: number }).success_count;
    for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
      await stack.empty();
      await measure({ name: `${connections} connections`, settings: { connections } }, (window) =>
        closedLoop(stack, window, connections, (connection) => connection.post('/api/v1/jobs/bulk', body), accepted),
      );
    }
  },
};
