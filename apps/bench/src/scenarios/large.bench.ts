import { closedLoop, withConnections } from '../load/closed-loop.js';
import { request } from '../load/request.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Scenario } from '../scenario.js';

const documentBytes = 1_000_000;
const agreed = 'agreed';

const list = (bytes: number, each: (i: number) => string): string => {
  const length = Math.floor(bytes / each(0).length);
  return `[${Array.from({ length }, (_, i) => each(i)).join()}]`;
};
const job = (queue: string, payload: string) => `{"queue_name":"${queue}","payload":${payload}}`;
const bulk = (payload: string) => `{"queue_name":"bulk","jobs":[${Array(4).fill(`{"payload":${payload}}`).join()}]}`;

/** Valid requests that take the longest to read. */
const requests: Record<string, { path: string; body: string }> = {
  'a text': { path: '/api/v1/jobs', body: job('large', JSON.stringify('é'.repeat(documentBytes / 2 - 2))) },
  records: {
    path: '/api/v1/jobs',
    body: job(
      'large',
      list(documentBytes / 2, (i) => `{"id":${i},"n":"n${i}"}`),
    ),
  },
  'numbers in bulk': { path: '/api/v1/jobs/bulk', body: bulk(list(documentBytes / 8, (i) => `${i}.25`)) },
  'lines of a payload contract': {
    path: '/api/v1/jobs',
    body: job(
      agreed,
      list(documentBytes / 4, () => '{"sku":"ABC-1234"}'),
    ),
  },
};

/** Every line is checked by a pattern. */
const contract = {
  items: { properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } }, additionalProperties: false },
};

export const large: Scenario = {
  name: 'large',
  what: 'the largest requests one after the other, and how long GET /health takes beside them',
  settings: () => ({ 'bytes of a document': documentBytes }),
  async run({ stack, measure }) {
    await request(stack, 'PUT', `/queues/${agreed}/payload-contract`, JSON.stringify({ schema: contract }));
    for (const [name, { path, body }] of Object.entries(requests)) {
      await stack.empty();
      await measure({ name, operationsIn: '' }, async (window) => {
        const memory = new MemoryWatch({ gateway: stack.services.gateway });
        await Promise.all([
          closedLoop(stack, window, 1, (connection) => connection.post(path, body)),
          withConnections(stack.baseUrl, stack.apiKey, 1, async (connection) => {
            while (!window.over) {
              const startedAt = performance.now();
              const { status } = await connection.get('/health');
              if (status === 200) window.count(startedAt, 1, 'GET /health');
              else window.fail(String(status), 'GET /health');
            }
          }),
        ]);
        memory.stop(window);
      });
    }
  },
};
