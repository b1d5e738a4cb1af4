import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { randomInt } from 'node:crypto';

/** Below the range used for outgoing connections, so that none of them takes our port before it is bound. */
const range = { from: 20_000, to: 32_000 };
const handedOut = new Set<number>();

/** A free TCP port on 127.0.0.1; never the same one twice within this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (handedOut.has(port)) continue;
    // Before the check, during which another call could choose it as well.
    handedOut.add(port);
    if (await portIsFree(port)) return port;
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

/** The port stored in `file` if it is still free, otherwise a new one, which is then stored. */
export async function keptPort(file: string): Promise<number> {
  const kept = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (kept > 0 && (await portIsFree(kept))) return kept;
  const port = await freePort();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, String(port));
  return port;
}

/** Host part of a URL for a listener on `host`, which may mean all addresses. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
