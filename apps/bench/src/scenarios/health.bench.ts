import { closedLoop } from '../load/closed-loop.js';
import type { Scenario } from '../scenario.js';

const connectionsByDefault = [1, 16, 64];

export const health: Scenario = {
  name: 'health',
  what: 'GET /health',
  settings: () => ({}),
  async run({ stack, options, measure }) {
    for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
      await measure({ name: `${connections} connections`, settings: { connections } }, (window) =>
        closedLoop(stack, window, connections, (connection) => connection.get('/health')),
      );
    }
  },
};
