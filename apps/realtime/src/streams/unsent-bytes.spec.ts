import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { eventually, useDatabase, useForAll, useRedis } from '@spooled/testing';
import { completed, OtherServices, startRealtime, type Tenant } from '../realtime.fixture.js';
import { EventStreamClient, WebSocketClient } from '../stream-clients.fixture.js';

const database = useDatabase();
const redis = useRedis();
const stores = () => ({ ...database, redisUrl: redis.url });
let services: OtherServices;
beforeAll(async () => {
  services = new OtherServices(stores());
  await eventually(() => expect(services.redis.connected).toBe(true));
});
afterAll(() => services.close());
/** The limit of each stream is above what they may have together. */
const realtime = useForAll(
  () => startRealtime(stores(), { MAX_UNSENT_BYTES: '4194304', REALTIME_MAX_UNSENT_BYTES: '1000000000' }),
  ({ stop }) => stop(),
);

const unread: Record<string, (tenant: Tenant) => Promise<() => void>> = {
  websocket: async ({ key }) => {
    const { socket } = await WebSocketClient.open(realtime.url, `?token=${key}`);
    socket.pause();
    return () => socket.terminate();
  },
  events: async ({ key }) => {
    const request = get(`${realtime.url}/events`, { headers: { 'x-api-key': key } });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return () => request.destroy();
  },
};

it.each(Object.keys(unread))(
  'BX-03 a %s stream that is not read ends when its organization has its share, and its other streams go on',
  async (kind) => {
    const tenant = await services.tenant();
    const close = await unread[kind]!(tenant);
    const reading = await EventStreamClient.open(`${realtime.url}/events`, { 'x-api-key': tenant.key });
    const ended = () => realtime.logs.filter((line) => line.includes('"slow_reader"') && line.includes(`"${kind}"`));
    // The kernel takes some of it.
    for (let i = 0; i < 400 && ended().length === 0; i++) {
      services.publish(tenant.organizationId, completed(`j${i}`, JSON.stringify('x'.repeat(50_000))));
      expect((await reading.nextEvent()).data).toMatchObject({ job_id: `j${i}` });
    }
    // A client has two seconds to read why.
    await eventually(() => expect(ended()).toHaveLength(1));
    services.publish(tenant.organizationId, completed('last'));
    expect((await reading.nextEvent()).data).toMatchObject({ job_id: 'last' });
    reading.close();
    close();
  },
);
