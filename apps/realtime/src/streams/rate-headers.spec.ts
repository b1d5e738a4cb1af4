import { createTestDatabase, eventually, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { OtherServices, startRealtime, type RunningRealtime } from '../realtime.fixture.js';

const unknownJob = '01900000-0000-7000-8000-000000000000';

describe.each([
  ['with Redis', () => startRedis()],
  ['without Redis', () => Promise.resolve(null)],
])('the rate limit that a stream reports, %s', (_, provideRedis) => {
  let database: TestDatabase;
  let redis: TestRedis | null;
  let realtime: RunningRealtime;
  let services: OtherServices;
  let key: string;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), provideRedis()]);
    realtime = await startRealtime(
      { ...database, redisUrl: redis?.url ?? '' },
      { REALTIME_MAX_WEBSOCKETS: '1', REALTIME_MAX_EVENT_STREAMS: '1', REALTIME_MAX_WATCHES: '1' },
    );
    services = new OtherServices({ ...database, redisUrl: redis?.url ?? 'redis://127.0.0.1:1' });
    ({ key } = await services.tenant());
  });
  afterAll(async () => {
    await services?.close();
    await realtime?.stop();
    await Promise.all([database?.drop(), redis?.close()]);
  });

  const ofOrganization = { isFull: true, scope: 'organization', hasReset: true };
  const reported = (get: (name: string) => string | undefined | null) => ({
    isFull: Number(get('x-ratelimit-limit')) > 0 && get('x-ratelimit-remaining') === get('x-ratelimit-limit'),
    scope: get('x-ratelimit-scope'),
    hasReset: /^1\d{9}$/.test(get('x-ratelimit-reset') ?? ''),
  });

  async function get(path: string, credential = key) {
    const end = new AbortController();
    const response = await fetch(realtime.url + path, { headers: { 'x-api-key': credential }, signal: end.signal });
    return { status: response.status, rate: reported((name) => response.headers.get(name)), end: () => end.abort() };
  }

  /** The answer to a handshake. */
  async function upgrade(credential = key) {
    const socket = new WebSocket(`${realtime.url.replace('http', 'ws')}/ws?token=${credential}`);
    socket.on('error', () => undefined);
    const refused = once(socket, 'unexpected-response').then((values) => values[1] as IncomingMessage);
    const upgraded = once(socket, 'upgrade').then(([response]) => response as IncomingMessage);
    refused.catch(() => undefined);
    upgraded.catch(() => undefined);
    const { statusCode, headers } = await Promise.race([refused, upgraded]);
    return {
      status: statusCode,
      rate: reported((name) => headers[name] as string | undefined),
      end: () => socket.terminate(),
    };
  }

  it('SP-13 PB-14 is that of its caller, which opening it does not use up', async () => {
    const open = [await get('/events'), await get('/events/queues/mail'), await upgrade()];
    expect(open.map(({ status, rate }) => ({ status, rate }))).toEqual(
      [200, 200, 101].map((status) => ({ status, rate: ofOrganization })),
    );
    const tooMany = [await get('/events'), await get('/events/queues/mail'), await upgrade()];
    for (const { status, rate } of tooMany) expect({ status, rate }).toEqual({ status: 429, rate: ofOrganization });
    for (const stream of open) stream.end();
  });

  it('SP-13 PB-14 is reported by refusals, and counts addresses for callers without a valid credential', async () => {
    expect(await get('/ws')).toMatchObject({ status: 400, rate: ofOrganization });
    // The slot of a stream that its client has left is released a moment later.
    const ofJob = await eventually(async () => {
      const opened = await get(`/events/jobs/${unknownJob}`);
      expect(opened.status).toBe(200);
      return opened;
    });
    expect(ofJob.rate).toEqual(ofOrganization);
    ofJob.end();
    const ip = { scope: 'ip', hasReset: true };
    for (const path of ['/events', '/ws', '/no-such-route'])
      expect(await get(path, 'sk_live_wrong')).toMatchObject({ rate: ip });
    expect(await upgrade('sk_live_wrong')).toMatchObject({ status: 401, rate: ip });
  });
});
