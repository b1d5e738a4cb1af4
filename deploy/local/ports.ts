import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { randomInt } from 'node:crypto';

/** Below the range from which systems take ports for outgoing connections, so that none of those takes ours meanwhile. */
const range = { from: 20_000, to: 32_000 };
const handedOut = new Set<number>();

/** A TCP port on 127.0.0.1 that nobody listens on right now; never the same twice within this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (handedOut.has(port) || !(await portIsFree(port))) continue;
    handedOut.add(port);
    return port;
  }
}

/** Whether a server could listen on this port of `host` now. */
export function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** The port remembered in `file` when it is still free, else a new one, which is then remembered. */
export async function keptPort(file: string): Promise<number> {
  const kept = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (kept > 0 && (await portIsFree(kept))) return kept;
  const port = await freePort();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, String(port));
  return port;
}

/** Host part of a URL that reaches a listener on `host`, which may stand for all addresses. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
