import { createParser } from 'eventsource-parser';
import { NetworkError } from '../http/errors.js';
import type { HttpClient } from '../http/http-client.js';
import { readEvent } from './events.js';
import { type Connect, filterQuery, IdleTimeout } from './stream.js';

/** The server sends at least a ping every 15 s. */
const idleTimeoutMs = 60_000;
export interface SseOptions {
  /** The server sends the events of so many milliseconds together. In a page each part that arrives costs more than its events. */
  gatherMs?: number;
}

/** Live events over SSE. Requests missed events with the id of the last event. */
export function sseStream(http: HttpClient, { gatherMs = 0 }: SseOptions = {}): Connect {
  let lastEventId = '';
  return async (filter, listener, signal) => {
    const idle = new IdleTimeout(idleTimeoutMs);
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (id) lastEventId = id;
        const event = readEvent(data, http.settings.largeIntegers);
        if (event) listener.event(event);
      },
    });
    try {
      const ending = AbortSignal.any([signal, idle.signal]);
      const response = await http.open(
        `/api/v1/events${filterQuery(filter, gatherMs > 0 ? { gather_ms: String(gatherMs) } : {})}`,
        headers,
        ending,
      );
      listener.connected();
      const decoder = new TextDecoder();
      await readAll(response.body!, (chunk) => {
        idle.refresh();
        parser.feed(decoder.decode(chunk, { stream: true }));
      });
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof TypeError ? new NetworkError(`The event stream broke: ${error.message}`, error) : error;
    } finally {
      idle.stop();
    }
  };
}

/** Not `for await`, which streams of some browsers lack; not `pipeThrough`, of which each stage costs as much as an event. */
async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChunk: (chunk: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) onChunk(read.value);
  } catch (error) {
    // Closes the connection where the page is what fails.
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}
