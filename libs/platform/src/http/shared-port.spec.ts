import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SharedPort } from './shared-port.js';

const connections = 64;
const host = '127.0.0.1';
const open: { server: Server; shared: SharedPort }[] = [];

async function listen(port = 0): Promise<{ server: Server; port: number; accepted: Socket[] }> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
  const shared = new SharedPort(server, {}, () => undefined);
  await shared.listen({ port, host }, (at) => once(server.listen(at), 'listening'));
  open.push({ server, shared });
  return { server, port: (server.address() as AddressInfo).port, accepted };
}

afterEach(async () => {
  for (const { server, shared } of open.splice(0)) {
    server.close();
    await shared.close();
  }
});

describe('BX-03 SharedPort', () => {
  it('accepts several connections in a turn of the event loop', async () => {
    const { port, accepted } = await listen();
    const clients = Array.from({ length: connections }, () => connect(port, host));
    let turns = 0;
    for (; accepted.length < connections; turns++) await nextTurn();
    for (const client of clients) client.destroy();
    for (const socket of accepted) socket.destroy();
    // One socket would take a turn for each.
    expect(turns).toBeLessThan(connections * 0.75);
  });

  it('does not share a port with another server', async () => {
    const { port } = await listen();
    await expect(listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  });

  it('closes when the connections of all sockets have ended', async () => {
    const { port, accepted } = await listen();
    const clients = Array.from({ length: connections }, () => connect(port, host));
    while (accepted.length < connections) await nextTurn();
    const { server, shared } = open.pop()!;
    let closed = false;
    const closing = Promise.all([once(server.close(), 'close'), shared.close()]).then(() => (closed = true));
    await nextTurn();
    expect(closed).toBe(false);
    const refused = connect(port, host);
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const client of clients) client.end();
    for (const socket of accepted) socket.end().resume();
    await closing;
  });
});
