import { EventEmitter, on } from 'node:events';
import type { SpooledError } from '../http/errors.js';
import type { RealtimeEvent } from './events.js';
import { keepConnected } from './keep-connected.js';
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

/**
 * Emits events until `close`, reconnecting as needed. Read it with `for await` or listen to `event`.
 * Listeners should also listen to `error`, as with any emitter.
 */
export class Subscription extends EventEmitter<SubscriptionEvents> {
  private readonly closing = new AbortController();

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
    const listener = {
      connected: () => void this.emit('connected'),
      event: (event: RealtimeEvent) => void (this.closing.signal.aborted || this.emit('event', event)),
      disconnected: (reason: unknown) => void this.emit('disconnected', reason),
    };
    const refused = await keepConnected(this.connect, this.filter, listener, { signal: this.closing.signal });
    if (refused) this.emit('error', refused);
    this.emit('end');
  }
}
