import { SpooledError } from '../http/errors.js';
import { sleep } from '../http/sleep.js';
import type { Connect, StreamFilter, StreamListener } from './stream.js';

export interface ReconnectingListener extends StreamListener {
  /** The connection has closed; a reconnect follows. */
  disconnected(reason: unknown): void;
}

const firstDelayMs = 250;
const defaultMaxDelayMs = 15_000;

/**
 * Connects until `signal` is aborted, with growing delays of up to `maxDelayMs` while it fails.
 * @returns the error with which the server refused the credential or the filter; null after an abort
 */
export async function keepConnected(
  connect: Connect,
  filter: StreamFilter,
  listener: ReconnectingListener,
  { signal, maxDelayMs = defaultMaxDelayMs }: { signal: AbortSignal; maxDelayMs?: number },
): Promise<SpooledError | null> {
  let failures = 0;
  const connected = () => {
    failures = 0;
    listener.connected();
  };
  while (!signal.aborted) {
    const ended: unknown = await connect(filter, { ...listener, connected }, signal).catch((error: unknown) => error);
    if (signal.aborted) break;
    if (ended instanceof SpooledError && isPermanent(ended)) return ended;
    listener.disconnected(ended);
    const delayMs = Math.min(firstDelayMs * 2 ** failures++, maxDelayMs);
    await sleep(delayMs * (0.5 + Math.random() / 2), signal).catch(() => undefined);
  }
  return null;
}

/** Not 429: the limit of connections may be free later. */
const isPermanent = ({ status }: SpooledError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
