import { AuthenticationError } from '../http/errors.js';
import type { HttpClient } from '../http/http-client.js';
import { sseStream } from './sse-stream.js';
import type { Connect, StreamFilter } from './stream.js';
import { Subscription } from './subscription.js';
import { websocketStream } from './websocket-stream.js';

export interface SubscribeOptions extends StreamFilter {
  /** @default 'websocket' */
  transport?: 'websocket' | 'sse';
}

/** Live events. */
export class Realtime {
  constructor(private readonly http: HttpClient) {}

  /** Subscribes to live events and reconnects when the connection breaks. Without a filter: all events that the credential permits. */
  subscribe({ transport = 'websocket', ...filter }: SubscribeOptions = {}): Subscription {
    const connect = transport === 'sse' ? sseStream(this.http) : websocketStream(this.http.settings);
    return new Subscription(this.renewing(connect), filter);
  }

  /** Streams last longer than access tokens: renews a rejected token once. */
  private renewing(connect: Connect): Connect {
    return async (filter, listener, signal) => {
      try {
        await connect(filter, listener, signal);
      } catch (error) {
        if (!(error instanceof AuthenticationError) || !(await this.http.renew())) throw error;
        await connect(filter, listener, signal);
      }
    };
  }
}
