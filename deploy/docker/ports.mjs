import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP port of 127.0.0.1 that nobody uses. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when somebody listens; rejects when the process that should ends first, or after 20 s. */
export async function untilListening(port, child) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`ended with code ${child.exitCode} before it listened on ${port}`);
    if (await accepts(port)) return;
  }
  throw new Error(`nobody listens on port ${port}`);
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true) || socket.destroy());
    socket.once('error', () => resolve(false));
  });
}
