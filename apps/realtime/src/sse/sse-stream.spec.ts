import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@spooled/testing';
import { UnsentBytes } from '@spooled/service';
import { LiveEvent } from '../streams/live-event.js';
import { SseStream } from './sse-stream.js';

describe('a stream of server-sent events', () => {
  const gatherMs = 100;
  let server: Server;
  let client: IncomingMessage;
  let stream: SseStream;
  let clock: ManualClock;
  /** Before the first bytes of a stream. */
  let prepared: (response: ServerResponse) => Promise<unknown>;

  beforeEach(async () => {
    clock = new ManualClock();
    prepared = () => Promise.resolve();
    const caller = { organizationId: 'org', apiKeyId: 'key', queues: null, limits: { tier: 'free' } } as never;
    const unsent = new UnsentBytes({ maxBytes: 1_048_576, stalledMs: Infinity }, clock);
    server = createServer((_request, response) => {
      stream = new SseStream(response, {
        kind: 'events',
        caller,
        frames: 'unnamed',
        gatherMs,
        maxUnsentBytes: 65_536,
        unsent,
        clock,
      });
      void prepared(response).then(() => stream.open({}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
    client.setEncoding('utf8');
    expect(await chunk()).toBe(': connected\n\n');
  });
  afterEach(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  const chunk = async () => ((await once(client, 'data')) as [string])[0];
  const event = (id: number, text = '') =>
    new LiveEvent({ type: 'QueueResumed', data: { queue_name: text } } as never, String(id));
  const frame = (id: number, text = '') =>
    `id: ${id}\ndata: {"type":"QueueResumed","data":{"queue_name":"${text}"}}\n\n`;

  it('sends the events of a tenth of a second in one part, in their order', async () => {
    const parts: string[] = [];
    client.on('data', (part: string) => parts.push(part));
    stream.send(event(1));
    await clock.advance(60);
    stream.send(event(2));
    await clock.advance(39);
    stream.send(event(3));
    const first = chunk();
    await clock.advance(1);
    await first;
    expect(parts).toEqual([frame(1) + frame(2) + frame(3)]);
    stream.send(event(4));
    const second = chunk();
    await clock.advance(gatherMs);
    expect(await second).toBe(frame(4));
  });

  it('gathers 16 KB at most, and sends what it has gathered before it ends', async () => {
    const large = 'x'.repeat(16 * 1024);
    let received = '';
    client.on('data', (part: string) => (received += part));
    const end = once(client, 'end');
    stream.send(event(1, large));
    while (!received.endsWith('\n\n')) await once(client, 'data');
    expect(received).toBe(frame(1, large));
    stream.send(event(2));
    stream.end('shutdown');
    await end;
    expect(received).toBe(frame(1, large) + frame(2));
  });

  it('sends nothing that it has gathered once its key is revoked', async () => {
    const end = once(client.resume(), 'end');
    let received = '';
    client.on('data', (part: string) => (received += part));
    stream.send(event(1));
    stream.end('revoked');
    await end;
    expect(received).toBe('');
  });

  // Clients of SDKs take a stream for dead after 60 s without a byte.
  it('SP-12 sends a comment after every 15 s without an event', async () => {
    for (let i = 0; i < 3; i++) {
      const next = chunk();
      await clock.advance(15_000);
      expect(await next).toBe(': ping\n\n');
    }
  });

  it('leaves no timer for a client that has left before its first bytes', async () => {
    stream.end('complete');
    await once(client.resume(), 'end');
    const opened = new Promise<void>((resolve) => {
      prepared = async (response) => {
        const closed = once(response, 'close');
        abandoned.destroy();
        await closed;
        setImmediate(resolve);
      };
    });
    const abandoned = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    abandoned.on('error', () => undefined);
    await opened;
    expect(clock.timers).toEqual([]);
  });

  it('SP-12 ends after 30 minutes', async () => {
    const end = once(client.resume(), 'end');
    await clock.advance(30 * 60_000);
    await end;
  });
});
