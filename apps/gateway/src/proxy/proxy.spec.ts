import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createTestDatabase, eventually, type TestDatabase } from '@spooled/testing';
import WebSocket, { WebSocketServer } from 'ws';
import { openTunnel } from '../create-gateway.js';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: TestDatabase;
let gateway: TestGateway;
let upstream: Server;
let url: string;
let upstreamUrl: string;
const seen: IncomingMessage[] = [];
let stream: ServerResponse;

/** Stands in for realtime and webhooks: echoes bodies, streams events, and upgrades requests with the right token. */
function startUpstream(): Server {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url?.startsWith('/api/v1/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      stream = response;
      return;
    }
    // Responds after the whole body has arrived, as the real services do.
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
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  gateway = await startGateway(database, { env: { REALTIME_URL: upstreamUrl, WEBHOOKS_URL: upstreamUrl } });
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

describe('forwarded requests', () => {
  it('arrive byte for byte, with request id and client address; the response is unchanged', async () => {
    // Not JSON, although the type says so: a signature covers exactly these bytes.
    const body = Buffer.from('{"a" : 1,\r\n "b":\u00e9} not json');
    const response = await fetch(`${url}/api/v1/webhooks/some-org/github?x=1`, {
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
    expect([response.status, response.headers.get('x-from'), response.headers.get('x-request-id')]).toEqual([
      202,
      'upstream',
      'r-1',
    ]);
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    const request = seen.at(-1)!;
    expect(request.url).toBe('/api/v1/webhooks/some-org/github?x=1');
    expect(request.headers).toMatchObject({
      'x-request-id': 'r-1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(request.headers).not.toHaveProperty('cf-connecting-ip');
  });

  it('BX-24 arrive with the credential of a session of the console, and without its cookie', async () => {
    const forwarded = async (headers: Record<string, string>) => {
      await gateway.app.inject({ method: 'POST', url: '/api/v1/webhooks/some-org/custom', headers });
      return seen.at(-1)!.headers;
    };
    const cookie = 'spooled_console=eyJ.a.b';
    const marked = await forwarded({ cookie, 'x-spooled-console': '1' });
    expect(marked).toMatchObject({ authorization: 'Bearer eyJ.a.b' });
    expect(marked).not.toHaveProperty('cookie');
    const unmarked = await forwarded({ cookie });
    expect(unmarked).not.toHaveProperty('authorization');
    expect(unmarked).not.toHaveProperty('cookie');
  });

  it.each([
    [{ TRUSTED_PROXY_HOPS: '2' }, '203.0.113.5, 10.0.0.6', '203.0.113.5'],
    [{ TRUSTED_CLIENT_IP_HEADER: 'X-Client' }, '192.0.2.9', '192.0.2.9'],
  ])('SP-67 with %j contain only addresses that trusted proxies wrote', async (env, chain, address) => {
    const fronted = await startGateway(database, { env: { WEBHOOKS_URL: upstreamUrl, ...env } });
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
  const responseTo = async (request: ClientRequest) => {
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
  ])('with a body over 5 MB %s get 413, which the sender can read', async (_what, body) => {
    const response = await fetch(`${url}/api/v1/webhooks/reads-all/custom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toEqual([413, expect.objectContaining(tooLarge)]);
  });

  it('that wait for 100 Continue get it and arrive', async () => {
    const request = post({ expect: '100-continue', 'content-length': 5 });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('hello');
    expect(await responseTo(request)).toEqual({ status: 202, text: 'hello' });
  });

  it.each(['/api/v1/webhooks/%2e%2e/%2e%2e/metrics', '/api/v1/webhooks/..%2fx', '/api/v1/webhooks/x%5c..%5cy'])(
    'with a path that escapes the prefix get 400: %s',
    async (path) => {
      const { status, text } = await responseTo(post({}, path).end());
      expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })]);
    },
  );

  it('of a caller that disconnects within its body are not logged as an unavailable service', async () => {
    const request = post({ 'content-length': 1000 }, '/api/v1/webhooks/reads-all/custom').on('error', () => undefined);
    request.write('{"half":');
    await eventually(() => expect(seen.at(-1)!.headers['content-length']).toBe('1000'));
    const broken = new Promise((resolve) => seen.at(-1)!.once('error', resolve));
    request.destroy();
    await broken;
    // A second request, so that everything about the first has been logged.
    await responseTo(post({}).end());
    expect(gateway.logs.filter((line) => /"level":"(warn|error)"/.test(line) && /webhooks|failed/.test(line))).toEqual(
      [],
    );
  });

  it('SP-12 of event streams are streamed, and end upstream when the caller disconnects', async () => {
    const disconnect = new AbortController();
    const response = await fetch(`${url}/api/v1/events?types=x`, { signal: disconnect.signal });
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toBe('data: first\n\n');
    const closed = once(stream, 'close');
    disconnect.abort();
    await closed;
  });

  it('BX-25 of event streams are counted and measured when they begin, however long they are open', async () => {
    const measured = async () => {
      const { values } = await gateway.service.metrics.apiRequestDuration.get();
      return values.filter(({ metricName }) => /_(count|sum)$/.test(metricName ?? '')).map(({ value }) => value);
    };
    const [, count = 0] = await measured();
    const response = await fetch(`${url}/api/v1/events`);
    const reader = response.body!.getReader();
    await reader.read();
    const begun = await measured();
    expect(begun[1]).toBe(count + 1);
    stream.end();
    expect((await reader.read()).done).toBe(true);
    // What is not measured; the end of the stream has been seen when it is answered.
    await fetch(`${url}/health/live`);
    expect(await measured()).toEqual(begun);
  });

  it('SP-12 of WebSockets reach the upstream service', async () => {
    const client = new WebSocket(`${url.replace('http', 'ws')}/api/v1/ws?token=good`);
    await once(client, 'open');
    client.send('hello');
    const [message] = (await once(client, 'message')) as [Buffer];
    expect(message.toString()).toBe('echo hello');
    client.close();
    await once(client, 'close');
  });

  it('SP-68 of rejected WebSockets get an HTTP response before the upgrade', async () => {
    expect(await upgrade('/api/v1/ws?token=bad')).toEqual([401, { code: 'UNAUTHORIZED', message: 'no' }]);
    expect(await upgrade('/api/v1/jobs')).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
  });

  it.each(['/api/v1/jobs', '/api/v1/ws?token=bad'])(
    'of rejected WebSockets end with the connection, also of a client that keeps its half open: %s',
    async (path) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: spooled\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
      await once(socket, 'end');
      // Only a closed connection refuses what is sent.
      await eventually(() => {
        socket.write('more');
        expect(socket.destroyed).toBe(true);
      });
    },
  );
});

it.each([
  ['/api/v1/jobs', 401],
  ['/api/v1/webhooks/some-org/github', 202],
])('a request that offers h2c, as clients of Java do, is answered as one that does not: %s', async (path, status) => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
  const asked = httpRequest(`${url}${path}`, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});

describe('without an upstream service', () => {
  it('responds with 503 that names the service', async () => {
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
