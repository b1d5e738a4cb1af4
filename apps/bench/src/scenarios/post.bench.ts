import { closedLoop } from '../load/closed-loop.js';
import { jobBody } from '../load/payload.js';
import type { Scenario } from '../scenario.js';

const connectionsByDefault = [1, 16, 64, 256];

export const post: Scenario = {
  name: 'post',
  what: 'POST /api/v1/jobs, one job per request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes }),
  async run({ stack, options, measure }) {
    const body = jobBody('bench-post', options.payloadBytes);
    for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
      await stack.empty();
      await measure({ name: `${connections} connections`, settings: { connections } }, (window) =>
        closedLoop(stack, window, connections, (connection) => connection.post('/api/v1/jobs', body)),
      );
    }
  },
};
