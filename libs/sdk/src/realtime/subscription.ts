import { EventEmitter, on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpooledError } from '../http/errors.js';
import type { RealtimeEvent } from './events.js';
import type { Connect, StreamFilter } from './stream.js';

interface SubscriptionEvents {
  event: [RealtimeEvent];
  /** The connection is open, also after a reconnect. */
  connected: [];
  /** The connection has closed; a reconnect follows. */
  disconnected: [unknown];
  /** The server rejected the credential or the filter. `end` follows. */
  error: [SpooledError];
  end: [];
}

const firstDelayMs = 250;
const maxDelayMs = 15_000;

/**
 * Emits events until `close`, reconnecting as needed. Read it with `for await` or listen to `event`.
 * Listeners should also listen to `error`, as with any emitter.
 */
export class Subscription extends EventEmitter<SubscriptionEvents> {
  private readonly closing = new AbortController();
  private failures = 0;

  constructor(
    private readonly connect: Connect,
    private readonly filter: StreamFilter,
  ) {
    super();
    // So that listeners can be attached first.
    setImmediate(() => void this.run());
  }

  /** Ends the subscription; no event follows. */
  close(): void {
    this.closing.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RealtimeEvent> {
    try {
      for await (const [event] of on(this, 'event', { close: ['end'] })) yield event as RealtimeEvent;
    } finally {
      this.close();
    }
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const ended = await this.connectOnce();
      if (this.closing.signal.aborted) break;
      if (ended instanceof SpooledError && isPermanent(ended)) {
        this.emit('error', ended);
        break;
      }
      this.emit('disconnected', ended);
      await this.pause();
    }
    this.emit('end');
  }

  /** @returns the error that ended the connection; undefined if the server closed it */
  private async connectOnce(): Promise<unknown> {
    const listener = {
      connected: () => {
        this.failures = 0;
        this.emit('connected');
      },
      event: (event: RealtimeEvent) => void (this.closing.signal.aborted || this.emit('event', event)),
    };
    try {
      await this.connect(this.filter, listener, this.closing.signal);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  private async pause(): Promise<void> {
    const delayMs = Math.min(firstDelayMs * 2 ** this.failures++, maxDelayMs);
    await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

/** Not 429: the limit of connections may be free later. */
const isPermanent = ({ status }: SpooledError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
