import type { FastifyReply } from 'fastify';

/** Aborted when the connection closes before the response is written: nobody will read it. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // The request's own `close`, on which Fastify's signal relies, comes as soon as its body is read.
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
