import { EventSourceParserStream } from 'eventsource-parser/stream';
import { NetworkError } from '../http/errors.js';
import type { HttpClient } from '../http/http-client.js';
import { readEvent } from './events.js';
import { type Connect, filterQuery, IdleTimeout } from './stream.js';

/** The server sends at least a ping every 15 s. */
const idleTimeoutMs = 60_000;

/** Live events over SSE. Requests missed events with the id of the last event. */
export function sseStream(http: HttpClient): Connect {
  let lastEventId = '';
  return async (filter, listener, signal) => {
    const idle = new IdleTimeout(idleTimeoutMs);
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
    try {
      const ending = AbortSignal.any([signal, idle.signal]);
      const response = await http.open(`/api/v1/events${filterQuery(filter)}`, headers, ending);
      listener.connected();
      await read(response, idle, (id, data) => {
        if (id) lastEventId = id;
        const event = readEvent(data, http.settings.largeIntegers);
        if (event) listener.event(event);
      });
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof TypeError ? new NetworkError(`The event stream broke: ${error.message}`, error) : error;
    } finally {
      idle.stop();
    }
  };
}

async function read(
  response: Response,
  idle: IdleTimeout,
  onMessage: (id: string | undefined, data: string) => void,
): Promise<void> {
  const observed = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      idle.refresh();
      controller.enqueue(chunk);
    },
  });
  const messages = response
    .body!.pipeThrough(observed)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  // Not `for await`, which streams of some browsers lack.
  await messages.pipeTo(new WritableStream({ write: ({ id, data }) => onMessage(id, data) }));
}
