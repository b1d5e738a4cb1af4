import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createTestDatabase, eventually, type TestDatabase } from '@spooled/testing';
import WebSocket, { WebSocketServer } from 'ws';
import { openTunnel } from '../create-gateway.js';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: TestDatabase;
let gateway: TestGateway;
let upstream: Server;
let url: string;
let behind: string;
const seen: IncomingMessage[] = [];
let streamClosed: Promise<unknown>;

/** Stands for realtime and webhooks: echoes bodies, streams events, and upgrades those who know the word. */
function startUpstream(): Server {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url?.startsWith('/api/v1/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      streamClosed = once(response, 'close');
      return;
    }
    // As the services behind do: nothing is answered before the whole body is there.
    if (request.url?.includes('reads-all')) return void request.resume().once('end', () => response.end());
    response.writeHead(202, { 'content-type': 'application/octet-stream', 'x-from': 'upstream' });
    request.pipe(response);
  });
  server.on('upgrade', (request, socket, head) => {
    seen.push(request);
    if (!request.url?.includes('token=good')) {
      const body = '{"code":"UNAUTHORIZED","message":"no"}';
      return void socket.end(`HTTP/1.1 401 Unauthorized\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    }
    sockets.handleUpgrade(request, socket, head, (client) =>
      client.on('message', (data) => client.send(`echo ${data}`)),
    );
  });
  return server;
}

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = startUpstream().listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  behind = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  gateway = await startGateway(database, { env: { REALTIME_URL: behind, WEBHOOKS_URL: behind } });
  openTunnel(gateway.app, gateway.service);
  await gateway.app.listen(0, '127.0.0.1');
  url = (await gateway.app.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(async () => {
  upstream?.closeAllConnections();
  await gateway?.stop();
  upstream?.close();
  await database?.drop();
});

describe('what is passed on', () => {
  it('arrives byte for byte, with the request id and the caller told; the answer comes back as it is', async () => {
    // No JSON, whatever its type says: a signature covers these bytes and no others.
    const body = Buffer.from('{"a" : 1,\r\n "b":\u00e9} not json');
    const answer = await fetch(`${url}/api/v1/webhooks/some-org/github?x=1`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r-1',
        'x-real-ip': '192.0.2.66',
        'cf-connecting-ip': '192.0.2.67',
        'x-forwarded-for': '192.0.2.77',
      },
      body,
    });
    expect([answer.status, answer.headers.get('x-from'), answer.headers.get('x-request-id')]).toEqual([
      202,
      'upstream',
      'r-1',
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    const request = seen.at(-1)!;
    expect(request.url).toBe('/api/v1/webhooks/some-org/github?x=1');
    expect(request.headers).toMatchObject({
      'x-request-id': 'r-1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(request.headers).not.toHaveProperty('cf-connecting-ip');
  });

  it.each([
    [{ TRUSTED_PROXY_HOPS: '2' }, '203.0.113.5, 10.0.0.6', '203.0.113.5'],
    [{ TRUSTED_CLIENT_IP_HEADER: 'X-Client' }, '192.0.2.9', '192.0.2.9'],
  ])('SP-67 with %j tells the service behind only what the proxies in front wrote', async (env, chain, address) => {
    const fronted = await startGateway(database, { env: { WEBHOOKS_URL: behind, ...env } });
    try {
      const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.5, 10.0.0.6', 'x-client': '192.0.2.9' };
      await fronted.app.inject({ method: 'POST', url: '/api/v1/webhooks/some-org/custom', headers });
      expect(seen.at(-1)!.headers).toMatchObject({ 'x-forwarded-for': chain, 'x-real-ip': address });
    } finally {
      await fronted.stop();
    }
  });

  const post = (headers: Record<string, string | number>, path = '/api/v1/webhooks/some-org/custom') =>
    httpRequest(url, { path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  const answerTo = async (request: ClientRequest) => {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
    return { status: response.statusCode, text };
  };
  const tooLarge = { code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large', error: 'payload_too_large' };

  it.each<[string, () => RequestInit['body']]>([
    ['of a known length', () => Buffer.alloc(6_000_000, 'x')],
    [
      'of unknown length',
      () => Readable.toWeb(Readable.from(Array(60).fill(Buffer.alloc(100_000, 'x')))) as RequestInit['body'],
    ],
  ])('a body over 5 MB %s is 413, which its sender can read', async (_what, body) => {
    const answer = await fetch(`${url}/api/v1/webhooks/reads-all/custom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(),
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining(tooLarge)]);
  });

  it('a body that waits for 100 Continue is asked for and arrives', async () => {
    const request = post({ expect: '100-continue', 'content-length': 5 });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('hello');
    expect(await answerTo(request)).toEqual({ status: 202, text: 'hello' });
  });

  it.each(['/api/v1/webhooks/%2e%2e/%2e%2e/metrics', '/api/v1/webhooks/..%2fx', '/api/v1/webhooks/x%5c..%5cy'])(
    'a path that climbs is 400: %s',
    async (path) => {
      const { status, text } = await answerTo(post({}, path).end());
      expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })]);
    },
  );

  it('a caller that hangs up in the middle of its body does not make the service behind seem away', async () => {
    const request = post({ 'content-length': 1000 }, '/api/v1/webhooks/reads-all/custom').on('error', () => undefined);
    request.write('{"half":');
    await eventually(() => expect(seen.at(-1)!.headers['content-length']).toBe('1000'));
    const broken = new Promise((resolve) => seen.at(-1)!.once('error', resolve));
    request.destroy();
    await broken;
    // A request after it: whatever was logged about the first stands before.
    await answerTo(post({}).end());
    expect(gateway.logs.filter((line) => /"level":"(warn|error)"/.test(line) && /webhooks|failed/.test(line))).toEqual(
      [],
    );
  });

  it('SP-12 event streams flow while they are open, and end for the service when the caller leaves', async () => {
    const leave = new AbortController();
    const answer = await fetch(`${url}/api/v1/events?types=x`, { signal: leave.signal });
    const reader = answer.body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toBe('data: first\n\n');
    leave.abort();
    await streamClosed;
  });

  it('SP-12 WebSockets talk with the service behind', async () => {
    const client = new WebSocket(`${url.replace('http', 'ws')}/api/v1/ws?token=good`);
    await once(client, 'open');
    client.send('hello');
    const [message] = (await once(client, 'message')) as [Buffer];
    expect(message.toString()).toBe('echo hello');
    client.close();
    await once(client, 'close');
  });

  it('SP-68 a refused WebSocket is an HTTP answer before the upgrade', async () => {
    expect(await upgrade('/api/v1/ws?token=bad')).toEqual([401, { code: 'UNAUTHORIZED', message: 'no' }]);
    expect(await upgrade('/api/v1/jobs')).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
  });
});

describe('with nobody behind', () => {
  it('answers 503 that names the service', async () => {
    const alone = await startGateway(database, {
      env: { REALTIME_URL: 'http://127.0.0.1:1', WEBHOOKS_URL: 'http://127.0.0.1:1' },
    });
    try {
      const ask = async (path: string) => (await alone.app.inject({ url: path })).json() as unknown;
      const body = (name: string) => ({ code: 'SERVICE_UNAVAILABLE', message: `The ${name} service is unavailable` });
      expect(await ask('/api/v1/events')).toEqual(body('realtime'));
      expect(await ask('/api/v1/webhooks/org/custom')).toEqual(body('webhooks'));
    } finally {
      await alone.stop();
    }
  });
});

async function upgrade(path: string): Promise<[number | undefined, unknown]> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const request = httpRequest(url + path, { headers }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  return [response.statusCode, JSON.parse(Buffer.concat(chunks as Buffer[]).toString())];
}
