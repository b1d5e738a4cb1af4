import { fillQueue, filledQueue } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { HttpConnection, HttpResponse } from '../load/http-connection.js';
import { bulkBody, jobBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { succeeded } from '../load/work-over-rest.js';
import type { BenchRun, Scenario } from '../scenario.js';

const jobsInQueue = 10_000;

/** Measures a request over each of these numbers of connections, or of those of `--connections`. */
async function overConnections(
  { stack, options, measure }: BenchRun,
  connectionsByDefault: number[],
  send: (connection: HttpConnection) => Promise<HttpResponse>,
  { operations, empties = false }: { operations?: (response: HttpResponse) => number; empties?: boolean } = {},
): Promise<void> {
  for (const connections of options.connections.length ? options.connections : connectionsByDefault) {
    if (empties) await stack.empty();
    await measure({ name: `${connections} connections`, settings: { connections } }, (window) =>
      closedLoop(stack, window, connections, send, operations),
    );
  }
}

export const health: Scenario = {
  name: 'health',
  what: 'GET /health',
  settings: () => ({}),
  run: (bench) => overConnections(bench, [1, 16, 64], (connection) => connection.get('/health')),
};

export const post: Scenario = {
  name: 'post',
  what: 'POST /api/v1/jobs, one job per request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes }),
  async run(bench) {
    const body = jobBody('bench-post', bench.options.payloadBytes);
    const send = (connection: HttpConnection) => connection.post('/api/v1/jobs', body);
    await overConnections(bench, [1, 16, 64, 256], send, { empties: true });
  },
};

export const bulk: Scenario = {
  name: 'bulk',
  what: 'POST /api/v1/jobs/bulk; an operation is a job; latencies are per request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'jobs a request': bulkSize }),
  async run(bench) {
    const body = bulkBody('bench-bulk', bench.options.payloadBytes, bulkSize);
    const send = (connection: HttpConnection) => connection.post('/api/v1/jobs/bulk', body);
    await overConnections(bench, [1, 4, 16], send, { operations: succeeded, empties: true });
  },
};

export const list: Scenario = {
  name: 'list',
  what: 'GET /api/v1/jobs?limit=100 of a queue; an operation is a request',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, 'jobs in the queue': jobsInQueue }),
  async run(bench) {
    await fillQueue(bench, jobsInQueue);
    const path = `/api/v1/jobs?limit=100&queue_name=${filledQueue}`;
    await overConnections(bench, [1, 16], (connection) => connection.get(path));
  },
};
