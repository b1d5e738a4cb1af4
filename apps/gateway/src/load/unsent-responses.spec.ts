import { once } from 'node:events';
import { createServer, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import {
  createTenant,
  eventually,
  ManualClock,
  type TestTenant,
  useDatabase,
  useForAll,
  useSuperuser,
} from '@spooled/testing';
import Fastify from 'fastify';
import { createLogger } from '@spooled/platform';
import { UnsentBytes } from '@spooled/service';
import { openTunnel } from '../create-gateway.js';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { limitUnsentResponses } from './unsent-responses.js';

const database = useDatabase();
const superuser = useSuperuser(database);
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function listening(env: Record<string, string>) {
  const gateway = await startGateway(database, { env: { HOST: '127.0.0.1', ...env } });
  openTunnel(gateway.app, gateway.service);
  await gateway.app.listen(0, '127.0.0.1');
  const { port } = gateway.app.getHttpServer().address() as AddressInfo;
  return { ...gateway, port };
}
type Listening = Awaited<ReturnType<typeof listening>>;

/** A list of them has more than the kernel buffers, and two lists have more than the share of an organization. */
async function largeSchedules({ organizationId }: TestTenant): Promise<void> {
  await superuser.query(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template)
     SELECT uuidv7(), $1, 'n', '0 0 1 1 *', 'large', json_build_object('text', repeat('x', 1000000)) FROM generate_series(1, 8)`,
    [organizationId],
  );
}

async function largeJobs({ request }: TestGateway, { key }: TestTenant): Promise<void> {
  const payload = { text: 'x'.repeat(1_000_000) };
  for (let i = 0; i < 8; i++) {
    expect((await request('POST', '/jobs', key, { queue_name: 'large', payload })).status).toBe(201);
  }
}

/** Sends a request whose response is not read until the socket is resumed. */
async function send({ port }: Listening, start: string, ...headers: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write([start, 'host: spooled', ...headers, '', ''].join('\r\n'));
  return socket;
}

const list = '/schedules?limit=8';
const unread = (gateway: Listening, { key }: TestTenant) =>
  send(gateway, `GET /api/v1${list} HTTP/1.1`, `x-api-key: ${key}`);

async function waiting({ service }: TestGateway, kind: string): Promise<number> {
  const [, bytes] = new RegExp(`spooled_unsent_bytes{kind="${kind}"} (\\d+)`).exec(await service.metrics.text())!;
  return Number(bytes);
}

/** Statements that wait for the lock of the test. */
async function blocked(): Promise<number> {
  const waiting = `SELECT FROM pg_locks WHERE relation = 'schedules'::regclass AND NOT granted`;
  return (await superuser.query(waiting)).rowCount!;
}

it('BX-03 a large response waits as the bytes that are counted, whatever it was made as', async () => {
  const fastify = Fastify();
  const unsent = new UnsentBytes({ maxBytes: 1_000_000, stalledMs: 1_000 }, new ManualClock());
  limitUnsentResponses(fastify, {
    unsent,
    ownerOf: () => ({ name: 'a', weight: 1 }),
    unreadMs: 1_000,
    logger: createLogger({ service: 'gateway', level: 'silent' }),
    onRefused: () => undefined,
  });
  const sent: unknown[] = [];
  fastify.addHook('onSend', (_request, _reply, payload, done) => {
    sent.push(payload);
    done(null, payload);
  });
  fastify.get('/', () => '…'.repeat(20_000));
  expect((await fastify.inject('/')).body).toBe('…'.repeat(20_000));
  expect(sent).toEqual([Buffer.from('…'.repeat(20_000))]);
});

describe('responses that are not read', () => {
  const gateway = useForAll(
    () => listening({ MAX_UNSENT_BYTES: '15728640' }),
    ({ stop }) => stop(),
  );
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await createTenant(database.superuserUrl);
    await largeSchedules(tenant);
  });

  it('BX-03 hold the share of their organization, whose further large reads are refused until they are read', async () => {
    const socket = await unread(gateway, tenant);
    await eventually(async () => expect(await waiting(gateway, 'rest')).toBeGreaterThan(7_999_999));
    const refused = await gateway.request('GET', list, tenant.key);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' });
    // What is small is answered, and what other organizations ask for.
    expect((await gateway.request('GET', '/queues', tenant.key)).status).toBe(200);
    const other = await createTenant(database.superuserUrl);
    expect((await gateway.request('GET', list, other.key)).status).toBe(200);
    socket.resume();
    await eventually(async () => expect(await waiting(gateway, 'rest')).toBe(0));
    expect((await gateway.request('GET', list, tenant.key)).status).toBe(200);
  });

  it('BX-03 are made two at once for one organization; a list without a turn in time is refused', async () => {
    const { key } = await createTenant(database.superuserUrl);
    const other = await createTenant(database.superuserUrl);
    await superuser.query('BEGIN');
    await superuser.query('LOCK TABLE schedules IN ACCESS EXCLUSIVE MODE');
    const ask = () => gateway.request('GET', list, key);
    const [first, second, ...late] = [ask(), ask(), ask(), ask(), ask()];
    await eventually(async () => expect(await blocked()).toBe(2));
    const others = gateway.request('GET', list, other.key);
    await eventually(async () => expect(await blocked()).toBe(3));
    for (const { status, headers } of await Promise.all(late)) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    await superuser.query('ROLLBACK');
    expect((await Promise.all([first, second, others])).map((made) => made?.status)).toEqual([200, 200, 200]);
    // One after another: on a busy machine five at once may wait for longer than a turn may take.
    for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200);
  });

  it('BX-02 leave no job to a claim whose response has no room', async () => {
    await largeJobs(gateway, tenant);
    const socket = await unread(gateway, tenant);
    await eventually(async () => expect(await waiting(gateway, 'rest')).toBeGreaterThan(7_999_999));
    const claim = { queue_name: 'large', worker_id: 'w', limit: 8 };
    expect((await gateway.request('POST', '/jobs/claim', tenant.key, claim)).status).toBe(503);
    socket.resume();
    await eventually(async () => expect(await waiting(gateway, 'rest')).toBe(0));
    await eventually(async () => {
      const { body } = await gateway.request('POST', '/jobs/claim', tenant.key, claim);
      expect(body.jobs).toHaveLength(8);
      expect(body.jobs[0]).toMatchObject({ retry_count: 0 });
    });
  });
});

describe('connections whose clients read nothing for UNREAD_TIMEOUT_SECS', () => {
  const realtime = useForAll(
    () =>
      startRealtime((to, url, server) => {
        if (!isIdle(url)) pour(to, server);
        else if (to instanceof ServerResponse) to.write(': idle\n\n');
      }),
    stopRealtime,
  );
  const gateway = useForAll(
    () => listening({ UNREAD_TIMEOUT_SECS: '1', REALTIME_URL: realtime.url }),
    ({ stop }) => stop(),
  );

  it('BX-03 are closed', async () => {
    const tenant = await createTenant(database.superuserUrl);
    await largeSchedules(tenant);
    await unread(gateway, tenant);
    // Within the second, a busy machine may not see that it waits.
    await eventually(() => expect(gateway.logs.join('')).toContain('a response was not read'));
    await eventually(async () => expect(await waiting(gateway, 'rest')).toBe(0));
  });

  it.each([
    ['server-sent events', '/api/v1/events', []],
    ['WebSockets', '/api/v1/ws', ['upgrade: websocket', 'connection: upgrade']],
  ])(
    'BX-03 are closed by a gateway that forwards %s, so that realtime learns of it; idle ones are not',
    async (_, path, headers) => {
      const idle = await send(gateway, `GET ${path}?idle HTTP/1.1`, ...headers);
      await once(idle, 'data');
      const closed = once(realtime.server, 'poured');
      await send(gateway, `GET ${path} HTTP/1.1`, ...headers);
      await closed;
      // By the end of another exchange it would have been told.
      await (await fetch(`http://127.0.0.1:${gateway.port}/health/live`)).text();
      expect([idle.readyState, idle.readableEnded]).toEqual(['open', false]);
    },
  );
});

describe('forwarded live events that are not read', () => {
  /** More than the kernel buffers of two connections. */
  const most = 64 * 1024 * 1024;
  const poured: { bytes: number }[] = [];
  const realtime = useForAll(() => startRealtime((to) => void poured.push(pourAtMost(to, most))), stopRealtime);
  const gateway = useForAll(
    () => listening({ UNREAD_TIMEOUT_SECS: '600', REALTIME_URL: realtime.url }),
    ({ stop }) => stop(),
  );

  it.each([
    ['server-sent events', '/api/v1/events', []],
    ['WebSockets', '/api/v1/ws', ['upgrade: websocket', 'connection: upgrade']],
  ])('BX-03 hold two buffers of a gateway for each connection: %s', async (_, path, headers) => {
    poured.length = 0;
    const connected = once(gateway.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    await send(gateway, `GET ${path} HTTP/1.1`, ...headers);
    const [connection] = await connected;
    const exchange = async () => (await fetch(`http://127.0.0.1:${gateway.port}/health/live`)).text();
    // Realtime stops when no buffer takes more.
    await eventually(async () => {
      const before = poured[0]!.bytes;
      for (let i = 0; i < 5; i++) await exchange();
      expect([poured[0]!.bytes, connection.writableLength > 0]).toEqual([before, true]);
    });
    expect(poured[0]!.bytes).toBeLessThan(most);
    expect(connection.writableLength).toBeLessThanOrEqual(maxBuffered);
  });
});

/** Stands in for the realtime service. */
async function startRealtime(serve: (to: NodeJS.WritableStream, url: string | undefined, server: Server) => void) {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    serve(response, url, server);
  });
  server.on('upgrade', ({ url }, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    serve(socket, url, server);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function stopRealtime({ server }: { server: Server }): void {
  server.closeAllConnections();
  server.close();
}

/** A chunk of a socket and what a stream takes before it asks for a pause. */
const maxBuffered = 2 * 65_536 + 1_024;

const isIdle = (url = ''): boolean => url.endsWith('?idle');

/** Fills what takes the bytes for as long as it takes them; the server emits `poured` when that closes. */
function pour(to: NodeJS.WritableStream, server: Server): void {
  const chunk = Buffer.alloc(65_536, '\n');
  const more = () => {
    while (to.write(chunk));
  };
  to.on('drain', more);
  to.on('close', () => server.emit('poured'));
  more();
}

/** Fills what takes the bytes, up to so many. */
function pourAtMost(to: NodeJS.WritableStream, most: number): { bytes: number } {
  const poured = { bytes: 0 };
  const chunk = Buffer.alloc(65_536, '\n');
  const more = () => {
    while (poured.bytes < most) {
      poured.bytes += chunk.length;
      if (!to.write(chunk)) return;
    }
  };
  to.on('drain', more);
  more();
  return poured;
}
