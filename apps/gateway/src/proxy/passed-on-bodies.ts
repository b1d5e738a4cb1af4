import type { FastifyInstance } from 'fastify';
import { Transform, type Readable } from 'node:stream';
import { bodyTooLarge } from '../http/error-response.js';

/**
 * Refuses bodies that the service behind would refuse: it closes the connection then, and whether its answer is still read from it
 * before the next piece of the body fails is chance. The caller keeps its connection, so that it can read the answer; what it
 * goes on sending is dropped.
 */
export function limitForwardedBodies(scope: FastifyInstance, maxBytes: number): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    done(Number(request.headers['content-length'] ?? 0) > maxBytes ? bodyTooLarge() : undefined);
  });
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const isOfUnknownLength = request.headers['transfer-encoding'] !== undefined;
    done(null, isOfUnknownLength ? upTo(maxBytes, payload as Readable) : payload);
  });
}

function upTo(maxBytes: number, payload: Readable): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(bodyTooLarge());
      else done(null, chunk);
    },
  });
  payload.once('error', (error) => counter.destroy(error));
  counter.once('error', () => payload.unpipe(counter).resume());
  return payload.pipe(counter);
}
