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

/** What happens, as it happens. */
export class Realtime {
  constructor(private readonly http: HttpClient) {}

  /** Opens a stream of events, and opens it again whenever it breaks. Without a filter: all that the credential may see. */
  subscribe({ transport = 'websocket', ...filter }: SubscribeOptions = {}): Subscription {
    const connect = transport === 'sse' ? sseStream(this.http) : websocketStream(this.http.settings);
    return new Subscription(this.renewing(connect), filter);
  }

  /** Streams outlive access tokens: one that is refused is renewed once. */
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
