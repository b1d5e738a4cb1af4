import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@spooled/testing';
import { UnsentBytes } from '@spooled/service';
import { SseStream } from './sse-stream.js';

/** Clients of SDKs take a stream for dead after 60 s without a byte. */
describe('an idle stream of server-sent events', () => {
  let server: Server;
  let client: IncomingMessage;
  let stream: SseStream;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = new ManualClock();
    const caller = { organizationId: 'org', apiKeyId: 'key', queues: null, limits: { tier: 'free' } } as never;
    const unsent = new UnsentBytes({ maxBytes: 1_048_576, stalledMs: Infinity }, clock);
    server = createServer((_request, response) => {
      stream = new SseStream(response, {
        kind: 'events',
        caller,
        frames: 'named',
        maxUnsentBytes: 65_536,
        unsent,
        clock,
      });
      stream.open({});
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

  it('SP-12 sends a comment after every 15 s without an event', async () => {
    for (let i = 0; i < 3; i++) {
      const next = chunk();
      await clock.advance(15_000);
      expect(await next).toBe(': ping\n\n');
    }
  });

  it('SP-12 ends after 30 minutes', async () => {
    const end = once(client.resume(), 'end');
    await clock.advance(30 * 60_000);
    await end;
  });
});
