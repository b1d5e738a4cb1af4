import type { FastifyReply } from 'fastify';

/** Aborted when the connection closes before the answer is written: nobody will read it. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // The request's own `close`, on which Fastify's signal relies, comes as soon as its body is read.
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
