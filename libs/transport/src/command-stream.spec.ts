import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { Opened, purge, purged } from './command-stream.fixture.js';

let redis: TestRedis;
let opened: Opened;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis.close());
beforeEach(() => (opened = new Opened()));
afterEach(() => opened.closeAll());

const isReady = (client: ReturnType<Opened['client']>) =>
  eventually(() => expect(client.state('any organization')).toBe('ready'));

describe('a command on its way', () => {
  it('comes back with the answer of its handler', async () => {
    await opened.engine(redis.url, (command) => purged(command.kind === 'deadletter.purge' ? command.body.limit : 0));
    const client = opened.client(redis.url);
    await isReady(client);
    const command = purge('a');
    await expect(client.send({ ...command, body: { ...command.body, limit: 7 } })).resolves.toEqual({ purged: 7 });
  });
});
