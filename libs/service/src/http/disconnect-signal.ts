import type { FastifyReply } from 'fastify';

/** Created once, because each reason that Node creates has a stack trace. */
const ended = new Error('The request has ended');

/** Aborted when the request has ended: its caller has the response, which may say that it took too long, or has left. */
export function endSignal({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort(ended);
  const end = new AbortController();
  raw.once('close', () => end.abort(ended));
  return end.signal;
}

/** Aborted when the connection closes before the response is written. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // Not the request's `close` event, which Fastify's signal uses: it is emitted as soon as the body is read.
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
