import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Body, Controller, Get, Inject, Injectable, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HealthChecks } from '../health/health-checks.js';
import { nextTurn } from '../lifecycle/next-turn.js';
import { METRICS, SERVICE, SETTINGS } from '../lifecycle/platform.module.js';
import type { ServiceContext } from '../lifecycle/service-context.js';
import { AppLogger, createLogger } from '../log/logger.js';
import { createMetrics, type Scrape } from '../metrics/metrics.js';
import { createHttpApp, listenHttp } from './http-app.js';

@Injectable()
class Greeter {
  constructor(
    readonly logger: AppLogger,
    readonly health: HealthChecks,
    @Inject(SETTINGS) readonly settings: { GREETING: string },
    @Inject(METRICS) readonly metrics: Scrape,
    @Inject(SERVICE) readonly service: ServiceContext,
  ) {}
}

@Controller()
class GreeterController {
  constructor(private readonly greeter: Greeter) {}

  @Get('hello/:name')
  hello(): string {
    return this.greeter.settings.GREETING;
  }

  @Post('hello')
  async greet(@Body() body: object): Promise<object> {
    await new Promise(setImmediate);
    this.greeter.logger.info('greeting');
    return body;
  }
}

@Module({ controllers: [GreeterController], providers: [Greeter] })
class GreeterModule {}

describe('createHttpApp', () => {
  const lines: Record<string, unknown>[] = [];
  let accessLine: Promise<void>;
  let sawAccessLine: () => void;
  let app: NestFastifyApplication;
  let service: ServiceContext<{ GREETING: string }>;

  beforeAll(async () => {
    const write = (line: string) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      lines.push(entry);
      if (entry.msg === 'request') sawAccessLine();
    };
    service = {
      name: 'greeter',
      version: '1',
      settings: { GREETING: 'good evening' },
      logger: createLogger({ service: 'greeter', destination: { write } }),
      metrics: createMetrics({}),
      health: new HealthChecks(),
      stopping: new AbortController().signal,
      onStop: () => {},
      answerHealthWith: () => {},
    };
    app = await createHttpApp(GreeterModule, service, { bodyLimitBytes: 100, trustProxy: 1 });
    await listenHttp(app, 0, '127.0.0.1');
  });
  afterAll(() => app.close());
  beforeEach(() => {
    lines.splice(0);
    accessLine = new Promise((resolve) => (sawAccessLine = resolve));
  });

  it('provides logger, settings and metrics to any class', () => {
    const { logger, health, metrics, service: injected } = app.get(Greeter);
    expect([logger, health, metrics, injected]).toEqual([service.logger, service.health, service.metrics, service]);
    expect(logger).toBe(service.logger);
  });

  it('returns a valid request id and replaces an invalid one by a UUID', async () => {
    const ask = async (id?: string) => {
      const headers = id === undefined ? {} : { 'x-request-id': id };
      return (await app.inject({ url: '/hello/you', headers })).headers['x-request-id'];
    };
    expect(await ask('my-id-1')).toBe('my-id-1');
    expect(await ask()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ask('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
    expect((await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'lost' } })).headers['x-request-id']).toBe(
      'lost',
    );
  });

  it('writes one access log line without the query credential, and adds the request id to the handler’s lines', async () => {
    const answer = await fetch(`${await app.getUrl()}/hello?token=hunter2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'r1', 'x-forwarded-for': '203.0.113.9' },
      // In two parts, so that the body is read in a later turn of the event loop than the headers.
      body: Readable.from(['{"a":', '1}']),
      duplex: 'half',
    } as RequestInit);
    expect(await answer.json()).toEqual({ a: 1 });
    await accessLine;
    expect(lines).toMatchObject([
      { msg: 'greeting', request_id: 'r1' },
      {
        msg: 'request',
        request_id: 'r1',
        method: 'POST',
        path: '/hello?token=[redacted]',
        status: 201,
        ip: '203.0.113.9',
      },
    ]);
  });

  it.each(['h2c', 'websocket'])(
    'answers a request that offers an upgrade which the service does not take: %s',
    async (upgrade) => {
      const asked = httpRequest(`${await app.getUrl()}/hello`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'upgrade', upgrade },
      });
      asked.end('{"a":1}');
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      expect([response.statusCode, await json(response)]).toEqual([201, { a: 1 }]);
    },
  );

  it('rejects bodies above the limit', async () => {
    const answer = await app.inject({ method: 'POST', url: '/hello', payload: { a: 'x'.repeat(100) } });
    expect(answer.statusCode).toBe(413);
  });

  it('ends a request whose body does not arrive within the request timeout', async () => {
    const other = await createHttpApp(GreeterModule, service, { requestTimeoutMs: 200 });
    await listenHttp(other, 0, '127.0.0.1');
    const socket = connect((other.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /hello HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('408');
    await once(socket, 'close');
    await other.close();
  });

  const exchange = async (port: number, request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    return Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  };

  it.each([
    ['what is no HTTP', 'nonsense\r\n\r\n', '400 Bad Request', 'BAD_REQUEST'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request',
      'BAD_REQUEST',
    ],
  ])('responds to %s with a code and a message', async (_, request, status, code) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await exchange(port, request);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({ code, message: expect.any(String) });
  });

  const ask = 'GET /hello/ada HTTP/1.1\r\nhost: x\r\n\r\n';

  it('asks also a caller whose request was in flight when the shutdown began to leave', async () => {
    const other = await createHttpApp(GreeterModule, service, { drainMs: 3_600_000 });
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let requests = 0;
    const fastify = other.getHttpAdapter().getInstance();
    fastify.addHook('preHandler', async () => {
      if (++requests > 1) return;
      arrived.resolve();
      await released.promise;
    });
    await listenHttp(other, 0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as AddressInfo;
    const inFlight = exchange(port, ask);
    await arrived.promise;
    const closing = other.close();
    const leaves = /^HTTP\/1\.1 200[^]*connection: close[^]*good evening$/i;
    expect(await exchange(port, ask)).toMatch(leaves);
    released.resolve();
    expect(await inFlight).toMatch(leaves);
    await closing;
  });

  it('answers a request that arrives when it stops to wait', async () => {
    const drainMs = 200;
    const other = await createHttpApp(GreeterModule, service, { drainMs });
    await listenHttp(other, 0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as AddressInfo;
    const kept = connect(port, '127.0.0.1', () => kept.write(ask));
    await once(kept, 'data');
    const closing = other.close();
    await nextTurn();
    kept.write(ask);
    // This process is busy until the wait is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * drainMs);
    const answer = Buffer.concat((await kept.toArray()) as Buffer[]).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 200[^]*connection: close[^]*good evening$/i);
    await closing;
  });

  it('answers on open connections during shutdown, and ends when they have left', async () => {
    const other = await createHttpApp(GreeterModule, service, { drainMs: 3_600_000 });
    await listenHttp(other, 0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as AddressInfo;
    const sockets = [1, 2].map(() => connect(port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.write(ask);
      expect(String(await once(socket, 'data'))).not.toContain('connection: close');
    }
    let closed = false;
    const closing = other.close().then(() => (closed = true));
    const [kept, silent] = sockets as [Socket, Socket];
    // Also a new one, of a caller that does not know yet.
    for (const socket of [kept, connect(port, '127.0.0.1')]) {
      socket.write(ask);
      const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
      expect(answer).toMatch(/^HTTP\/1\.1 200[^]*connection: close[^]*good evening$/i);
    }
    expect(closed).toBe(false);
    silent.destroy();
    await closing;
  });

  it('sets no time limit of its own for the shutdown', () => {
    expect(app.getHttpAdapter().getInstance().initialConfig.pluginTimeout).toBe(0);
  });

  it('closes connections that are idle during the whole shutdown', async () => {
    const other = await createHttpApp(GreeterModule, service, { drainMs: 1 });
    await listenHttp(other, 0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as AddressInfo;
    const idle = connect(port, '127.0.0.1', () => idle.write('GET /hello/ada HTTP/1.1\r\nhost: x\r\n\r\n'));
    await once(idle, 'data');
    const ended = once(idle, 'close');
    await other.close();
    await ended;
  });

  it('does not wait for unused connections during shutdown', async () => {
    const other = await createHttpApp(GreeterModule, service);
    await listenHttp(other, 0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as AddressInfo;
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    // The server has it as well once it has answered a later one.
    await (await fetch(`http://127.0.0.1:${port}/hello/ada`)).text();
    const ended = once(silent, 'close');
    await other.close();
    await ended;
  });
});
