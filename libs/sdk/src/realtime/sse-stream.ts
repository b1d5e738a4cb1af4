import { EventSourceParserStream } from 'eventsource-parser/stream';
import { NetworkError } from '../http/errors.js';
import type { HttpClient } from '../http/http-client.js';
import { readEvent } from './events.js';
import { type Connect, filterQuery, IdleTimeout, type StreamListener } from './stream.js';

/** The server says something every 15 s. */
const longestSilenceMs = 60_000;

/** Events by server-sent events. What was missed while away is asked for by the id of the last event. */
export function sseStream(http: HttpClient): Connect {
  let lastEventId = '';
  return async (filter, listener, signal) => {
    const silence = new IdleTimeout(longestSilenceMs);
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
    try {
      const ending = AbortSignal.any([signal, silence.signal]);
      const response = await http.open(`/api/v1/events${filterQuery(filter)}`, headers, ending);
      listener.connected();
      await read(response, listener, silence, (id) => (lastEventId = id));
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof TypeError ? new NetworkError(`The event stream broke: ${error.message}`, error) : error;
    } finally {
      silence.stop();
    }
  };
}

async function read(
  response: Response,
  listener: StreamListener,
  silence: IdleTimeout,
  seen: (id: string) => void,
): Promise<void> {
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      silence.broken();
      controller.enqueue(chunk);
    },
  });
  const messages = response
    .body!.pipeThrough(heard)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of messages) {
    if (id) seen(id);
    const event = readEvent(data);
    if (event) listener.event(event);
  }
}
