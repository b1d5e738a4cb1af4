import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { randomInt } from 'node:crypto';

/** Below the range used for outgoing connections, so that none of them takes our port before it is bound. */
const range = { from: 20_000, to: 32_000 };
const parts = 32;
const handedOut = new Set<number>();

/**
 * The ports of a Jest worker: a part of the range, another one for each worker of a run. With one range for all, a worker may choose a
 * port between the choice and the start of another worker's server, or while that server is being restarted.
 *
 * @param worker JEST_WORKER_ID; undefined outside of tests, which have the whole range
 * @param run the id of the process that started the worker, so that runs side by side seldom share a part
 */
export function portRange(worker: string | undefined, run: number): { from: number; to: number } {
  if (!worker) return range;
  const size = (range.to - range.from) / parts;
  const from = range.from + ((run + Number(worker)) % parts) * size;
  return { from, to: from + size };
}

/** A free TCP port on 127.0.0.1; never the same one twice within this process, nor within two workers of a test run. */
export async function freePort(): Promise<number> {
  const { from, to } = portRange(process.env.JEST_WORKER_ID, process.ppid);
  for (;;) {
    const port = randomInt(from, to);
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
