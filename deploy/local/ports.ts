import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { randomInt } from 'node:crypto';

/** Below the range used for outgoing connections, so that none of them takes our port before it is bound. */
const range = { from: 20_000, to: 32_000 };
/** Ports come in blocks, each of which one process takes. */
const blockSize = 50;
/** Of the blocks of this process: not yet handed out. */
const left: number[] = [];
let taking: Promise<void> | undefined;

/**
 * A free TCP port on 127.0.0.1; never the same one twice within this process, nor one that another process has chosen by this
 * function.
 *
 * @throws Error when other processes have all blocks
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = left.shift();
    if (port === undefined) await (taking ??= takeBlock().finally(() => (taking = undefined)));
    else if (await portIsFree(port)) return port;
  }
}

/** A block belongs to the process that listens on its first port, until it ends: others could choose a port that is not yet bound. */
async function takeBlock(): Promise<void> {
  const count = (range.to - range.from) / blockSize;
  const start = randomInt(count);
  for (let i = 0; i < count; i++) {
    const first = range.from + ((start + i) % count) * blockSize;
    if (!(await keepListening(first))) continue;
    left.push(...Array.from({ length: blockSize - 1 }, (_, n) => first + 1 + n));
    return;
  }
  throw new Error(`Other processes use all ports from ${range.from} to ${range.to}`);
}

function keepListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
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
