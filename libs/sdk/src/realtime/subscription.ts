import { EventEmitter, on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpooledError } from '../http/errors.js';
import type { RealtimeEvent } from './events.js';
import type { Connect, StreamFilter } from './stream.js';

interface SubscriptionEvents {
  event: [RealtimeEvent];
  /** The connection is open, for the first time or again. */
  connected: [];
  /** The connection is gone and is being opened again. */
  disconnected: [unknown];
  /** It cannot be opened: the credential or the filter is refused. The end follows. */
  error: [SpooledError];
  end: [];
}

const firstDelayMs = 250;
const longestDelayMs = 15_000;

/**
 * Events until `close`, over as many connections as that takes. Read it with `for await` or listen to `event`.
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
    // Listeners are attached first.
    setImmediate(() => void this.run());
  }

  /** Ends it; nothing comes after. */
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
      if (ended instanceof SpooledError && isRefusal(ended)) {
        this.emit('error', ended);
        break;
      }
      this.emit('disconnected', ended);
      await this.pause();
    }
    this.emit('end');
  }

  /** @returns what ended the connection; undefined where the server simply closed it */
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
    const longest = Math.min(firstDelayMs * 2 ** this.failures++, longestDelayMs);
    await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

/** 429 is none: the connections that are too many now go away. */
const isRefusal = ({ status }: SpooledError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
