import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Receiver } from '@spooled/testing';
import { CallbackClient, type CallbackClientOptions } from './callback-client.js';
import { reasonOf } from './callback-error.js';

let receiver: Receiver;
const clients: CallbackClient[] = [];

/** The reason of a failed call, or the status. */
async function post(url: string, options: Partial<CallbackClientOptions> = {}): Promise<string | number> {
  const client = new CallbackClient({ production: false, ...options });
  clients.push(client);
  return client.post(url, { headers: { 'content-type': 'application/json' }, body: '{"a":1}' }).then(
    ({ statusCode }) => statusCode,
    (error: unknown) => reasonOf(error),
  );
}
const redirectTo = (location: string, status = 302) => {
  receiver.respond = (call, response) => {
    if (call.path === '/hook') response.writeHead(status, { location }).end('moved');
    else response.end();
  };
};

beforeEach(async () => {
  receiver = await Receiver.open();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await receiver.close();
});

describe('SP-57 calls to URLs of tenants', () => {
  it.each([301, 302, 303, 307, 308])('keep their method and body through a %i redirect', async (status) => {
    redirectTo('/moved', status);
    expect(await post(receiver.url())).toBe(200);
    expect(receiver.calls.map(({ path, method, body }) => [path, method, body])).toEqual([
      ['/hook', 'POST', '{"a":1}'],
      ['/moved', 'POST', '{"a":1}'],
    ]);
  });

  it('SP-57 keeps headers of a receiver from other origins that it redirects to', async () => {
    const other = await Receiver.open();
    try {
      receiver.respond = ({ path }, response) =>
        response.writeHead(307, { location: path === '/hook' ? '/same' : other.url('/other') }).end();
      const message = { headers: { 'x-plain': 'p' }, originHeaders: { 'x-token': 't' }, body: '{}' };
      clients.push(new CallbackClient({ production: false }));
      await clients[0]!.post(receiver.url(), message);
      expect(receiver.calls.map(({ headers }) => headers['x-token'])).toEqual(['t', 't']);
      expect(other.calls[0]!.headers).toMatchObject({ 'x-plain': 'p' });
      expect(other.calls[0]!.headers).not.toHaveProperty('x-token');
    } finally {
      await other.close();
    }
  });

  it('are refused when redirected to an internal address', async () => {
    redirectTo('http://169.254.169.254/latest/meta-data/');
    expect(await post(receiver.url())).toContain('HTTP not allowed');
    redirectTo('https://169.254.169.254/latest/meta-data/');
    expect(await post(receiver.url())).toContain('Invalid webhook URL');
  });

  it('follow five redirects and no more', async () => {
    receiver.respond = (_call, response) => response.writeHead(307, { location: '/again' }).end();
    expect(await post(receiver.url())).toBe('More than 5 redirects');
    expect(receiver.calls).toHaveLength(6);
  });

  it('are refused in production when any address of a public name is internal', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const { port } = new URL(receiver.url());
    const reason = await post(`https://rebind.example.com:${port}/hook`, { production: true, resolve });
    expect(reason).toBe('rebind.example.com does not resolve to a public address');
    expect(receiver.calls).toHaveLength(0);
  });

  it('connect to the checked address: the name is resolved once', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    let asked = 0;
    const resolve = async () => [{ address: answers[asked++]!, family: 4 }];
    const { port } = new URL(receiver.url());
    expect(await post(`http://localhost:${port}/hook`, { resolve })).toBe(200);
    expect(asked).toBe(1);
  });

  it('check the name for every redirect', async () => {
    const { port } = new URL(receiver.url());
    redirectTo(`https://inside.example.com:${port}/x`);
    const resolve = async (host: string) => [
      { address: host === 'localhost' ? '127.0.0.1' : '169.254.169.254', family: 4 },
    ];
    const reason = await post(`http://localhost:${port}/hook`, { resolve });
    expect(reason).toBe('inside.example.com does not resolve to a public address');
  });

  it('BX-03 keep no idle connection for as long as its receiver asks for', async () => {
    const closed = new Promise((resolve) => {
      receiver.respond = ({ headers }, response) => {
        expect(headers.connection).toBe('keep-alive');
        const socket = response.socket as Socket & { server: Server };
        // It is the client that ends it.
        socket.server.keepAliveTimeout = 0;
        socket.once('close', resolve);
        response.writeHead(200, { 'keep-alive': 'timeout=600' }).end();
      };
    });
    expect(await post(receiver.url())).toBe(200);
    await closed;
  }, 20_000);

  it('time out, whatever the receiver does', async () => {
    receiver.respond = (_call, response) => response.writeHead(200).write('one byte, then silence');
    expect(await post(receiver.url(), { timeoutMs: 100 })).toBe('The receiver did not respond in time');
  });

  it('report why a receiver was not reached', async () => {
    const url = receiver.url();
    await receiver.close();
    expect(await post(url)).toContain('ECONNREFUSED');
    receiver = await Receiver.open();
  });
});
