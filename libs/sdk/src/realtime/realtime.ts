import type { HttpClient } from '../http/http-client.js';
import { sseStream } from './sse-stream.js';
import type { StreamFilter } from './stream.js';
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
    return new Subscription(connect, filter);
  }
}
