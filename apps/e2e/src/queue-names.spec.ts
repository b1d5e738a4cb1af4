import { longestNewQueueName, longestQueueName } from '@spooled/domain';
import { bodyOf, type DescribedRoute, gatewayRoutes } from './api-description.js';
import { places } from './body-samples.js';
import { GrpcCaller, struct } from './grpc-caller.js';
import { RestCaller } from './rest-caller.js';
import { openSse } from './tenant-streams.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let rest: RestCaller;
beforeAll(() => void (rest = new RestCaller(stack.baseUrl, stack.apiKey)));

const shortPath = ({ path }: DescribedRoute): string => path.slice('/api/v1'.length);

/** Every member of a body that names a queue, with a function that sets it. */
const members = gatewayRoutes()
  .filter(({ operation }) => operation.requestBody)
  .flatMap((route) => places(bodyOf(route.operation)!).map((place) => ({ route, ...place })))
  .filter(({ field }) => /(^|\.)(queue_name|to_queue)$/.test(field))
  .map(({ route, field, put }) => [`${route.method} ${shortPath(route)} ${field}`, route, put] as const);
const queries = gatewayRoutes().flatMap((route) =>
  route.operation.parameters
    .filter((parameter) => parameter.in === 'query' && ['queue', 'queue_name'].includes(parameter.name))
    .map(({ name }) => [`${route.method} ${shortPath(route)}?${name}=`, route, name] as const),
);
const paths = gatewayRoutes()
  .filter((route) => route.method === 'GET' && /^\/queues\/\{name\}/.test(shortPath(route)))
  .map((route) => [`GET ${shortPath(route)}`, route] as const);

/** Ways in that create jobs under a name that the caller chooses; the published API limits them. */
const creates = (route: string): boolean =>
  /^POST \/(jobs|jobs\/bulk|schedules|workflows|batches|batches\/\{id\}\/jobs) /.test(route);
const longestIn = (route: string): number => (creates(route) ? longestNewQueueName : longestQueueName);
/** Letters that take two units in JavaScript and four bytes in PostgreSQL. */
const named = (codePoints: number): string => '𠀀'.repeat(codePoints);

async function send(route: DescribedRoute, body: unknown, query = '') {
  const path = shortPath(route).replace('{id}', '00000000-0000-7000-8000-000000000000');
  const { status, body: answer } = await rest.send(route.method, path + query, body);
  return { status, details: JSON.stringify(answer?.details ?? {}) };
}

describe('the name of a queue', () => {
  it.each(members)('has one longest form, or that of new jobs, in %s', async (name, route, put) => {
    const fits = await send(route, put(named(longestIn(name))));
    const member = name.split(/[ .]/).at(-1)!;
    expect(fits.details).not.toContain(`${member}"`);
    const refused = await send(route, put(named(longestIn(name) + 1)));
    expect([refused.status, refused.details]).toEqual([400, expect.stringContaining(`${member}"`)]);
  });

  it.each(queries)('has one longest form in %s', async (_, route, name) => {
    const ask = async (codePoints: number) => {
      const needed = /\/series(?:\/marks)?$/.test(route.path) ? '' : '&limit=1';
      return send(route, undefined, `?${name}=${encodeURIComponent(named(codePoints))}${needed}`);
    };
    expect((await ask(longestQueueName)).details).not.toContain(name);
    expect((await ask(longestQueueName + 1)).details).toContain(name);
  });

  it.each(paths)('of a configured queue is readable in %s', async (_, route) => {
    const name = encodeURIComponent(named(longestQueueName));
    expect((await rest.put(`/queues/${name}/config`, { max_retries: 1 })).status).toBe(200);
    const { status } = await rest.get(shortPath(route).replace('{name}', name));
    expect([200, 404]).toContain(status);
  });

  it('has the same longest forms over gRPC', async () => {
    const grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': stack.apiKey });
    try {
      const enqueue = (codePoints: number) => ({ queue_name: named(codePoints), payload: struct({}) });
      await grpc.call('Enqueue', enqueue(longestNewQueueName));
      expect(await grpc.refusal('Enqueue', enqueue(longestNewQueueName + 1))).toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      const others = {
        Dequeue: { worker_id: 'w', batch_size: 1 },
        GetQueueStats: {},
        'WorkerService/Register': { hostname: 'h', worker_id: 'long-queue' },
      };
      for (const [method, more] of Object.entries(others)) {
        await grpc.call(method, { queue_name: named(longestQueueName), ...more });
        const refused = await grpc.refusal(method, { queue_name: named(longestQueueName + 1), ...more });
        expect([method, refused]).toMatchObject([method, { code: 'INVALID_ARGUMENT' }]);
      }
    } finally {
      grpc.close();
    }
  });

  it('has the same longest form in streams of events', async () => {
    const open = (codePoints: number) =>
      openSse(`${stack.baseUrl}/api/v1/events?queue=${encodeURIComponent(named(codePoints))}`, stack.apiKey);
    (await open(longestQueueName)).close();
    await expect(open(longestQueueName + 1)).rejects.toThrow('400');
  });

  it('has the same longest form in the scope of a key', async () => {
    const queues = [named(longestQueueName)];
    const { status, body } = await rest.post('/api-keys', { name: 'long', queues });
    expect(status).toBe(201);
    const scoped = new RestCaller(stack.baseUrl, body.key);
    expect((await scoped.post('/jobs/claim', { queue_name: queues[0], worker_id: 'w' })).status).toBe(200);
  });
});
