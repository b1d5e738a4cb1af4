import type { FastifyReply } from 'fastify';

/** Aborted when the connection closes before the response is written. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // Not the request's `close` event, which Fastify's signal uses: it is emitted as soon as the body is read.
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
