import { eventually, useTenant } from '@spooled/testing';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { useGateway } from '../gateway.fixture.js';

const job = '/api/v1/jobs/01900000-0000-7000-8000-000000000000';

/** One request is left for other organizations. */
const perOrganization = 2;

/** Blocks reads of jobs while it holds a lock on their table. */
let holder: pg.Client;
afterAll(() => holder?.end());
const { database, gateway } = useGateway({
  HTTP_MAX_IN_FLIGHT: String(perOrganization + 1),
  // Requests wait for the lock as long as a test holds it.
  DATABASE_QUERY_TIMEOUT_MS: '60000',
});
const tenant = useTenant(database);
const other = useTenant(database);
let port: number;

beforeAll(async () => {
  await gateway.app.listen(0, '127.0.0.1');
  port = (gateway.app.getHttpServer().address() as AddressInfo).port;
  holder = new pg.Client(database.superuserUrl);
  await holder.connect();
});
beforeEach(() => holder.query('BEGIN; LOCK TABLE job_queue IN ACCESS EXCLUSIVE MODE'));
afterEach(async () => {
  await unlock();
  await untilInFlight(0);
});

const unlock = () => holder.query('ROLLBACK');
const ask = (path = job, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': tenant.key }, ...init });
const untilInFlight = (count: number) =>
  eventually(async () =>
    expect(await gateway.service.metrics.text()).toContain(`spooled_requests_in_flight{protocol="rest"} ${count}\n`),
  );

/** Refusals counted so far, for any reason. */
async function refusals(): Promise<number> {
  const lines = (await gateway.service.metrics.text()).matchAll(/^spooled_requests_shed_total\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Warnings logged so far. */
const warnings = (): { refused?: number; request_id?: string }[] =>
  gateway.logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');

/** Opens a connection and sends `text`. */
function send(text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  return socket;
}

const head = (start: string, ...more: string[]) =>
  [start, 'host: spooled', `x-api-key: ${tenant.key}`, ...more, '', ''].join('\r\n');

const rateHeaders = (scope: string) => ({
  'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
  'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
  'x-ratelimit-reset': expect.stringMatching(/^1\d{9}$/),
  'x-ratelimit-scope': scope,
});

describe('HTTP_MAX_IN_FLIGHT', () => {
  it('SP-86 refuses further requests at once, and accepts requests again when one has ended', async () => {
    const held = [ask(), ask()];
    // The last place is another organization's, and the shares depend on who came first.
    await untilInFlight(2);
    held.push(ask(job, { headers: { 'x-api-key': other.key } }));
    await untilInFlight(3);
    const refused = await ask('/api/v1/jobs', {
      method: 'POST',
      headers: { origin: 'https://a-page.example' },
      body: 'not even read',
    });
    expect(refused.status).toBe(503);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-request-id': expect.any(String),
      'x-api-version': '1',
      'access-control-allow-origin': 'https://a-page.example',
      ...rateHeaders('ip'),
    });
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.any(String) });
    await unlock();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([404, 404, 404]);
    await eventually(async () => expect((await ask()).status).toBe(404));
  });

  it('BX-03 refuses further requests of an organization that has its share, with 503 and Retry-After', async () => {
    const held = [ask(), ask()];
    await untilInFlight(2);
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json' };
    const refused = await ask('/api/v1/jobs', { method: 'POST', headers, body: '{' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(Object.fromEntries(refused.headers)).toMatchObject(rateHeaders('organization'));
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.any(String) });
    const toOther = { 'x-api-key': other.key, 'content-type': 'application/json' };
    expect((await ask('/api/v1/jobs', { method: 'POST', headers: toOther, body: '{' })).status).toBe(400);
    await unlock();
    await Promise.all(held);
  });

  it('does not apply to probes, scrapes and claims', async () => {
    const held = [ask(), ask()];
    await untilInFlight(2);
    expect((await ask('/health/live')).status).toBe(200);
    expect((await ask('/api/v1/metrics/prometheus')).status).toBe(200);
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json' };
    expect((await ask('/api/v1/jobs/claim', { method: 'POST', headers, body: '{}' })).status).toBe(422);
    await unlock();
    await Promise.all(held);
  });

  it('logs the number of refused requests once a second, not each of them', async () => {
    const held = [ask(), ask()];
    await untilInFlight(2);
    const before = warnings().length;
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    await eventually(async () => {
      const logged = warnings().reduce((sum, { refused = 0 }) => sum + refused, 0);
      expect(await refusals()).toBe(logged);
    });
    const added = warnings().slice(before);
    expect(added.length).toBeLessThan(10);
    expect(added.filter(({ request_id }) => request_id)).toEqual([]);
    await unlock();
    await Promise.all(held);
  });

  it('accepts requests again when callers disconnect, also with pipelined requests', async () => {
    const socket = send(head(`GET ${job} HTTP/1.1`) + head(`GET ${job} HTTP/1.1`));
    await untilInFlight(2);
    socket.destroy();
    await untilInFlight(0);
    // The handlers of the first requests end now, which must not be counted a second time.
    await unlock();
    await eventually(async () => expect((await ask()).status).toBe(404));
    await untilInFlight(0);
  });

  it('does not count requests whose body has not arrived', async () => {
    const start = head(
      'POST /api/v1/jobs HTTP/1.1',
      'content-type: application/json',
      'content-length: 9',
      'expect: 100-continue',
    );
    const slow = Array.from({ length: 3 }, () => send(start));
    // By then the headers have been read.
    await Promise.all(slow.map((socket) => once(socket, 'data')));
    await unlock();
    expect((await ask()).status).toBe(404);
    for (const socket of slow) socket.destroy();
  });
});
