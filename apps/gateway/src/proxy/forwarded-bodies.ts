import type { FastifyInstance } from 'fastify';
import { Transform, type Readable } from 'node:stream';
import { bodyTooLarge } from '@spooled/service';

/**
 * Rejects bodies that are too large for the upstream service. The service would close the connection, and its response might be lost.
 * Here the caller keeps its connection and can read the response; the rest of its body is discarded.
 */
export function limitForwardedBodies(scope: FastifyInstance, maxBytes: number): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    done(Number(request.headers['content-length'] ?? 0) > maxBytes ? bodyTooLarge() : undefined);
  });
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const hasUnknownLength = request.headers['transfer-encoding'] !== undefined;
    done(null, hasUnknownLength ? limitBytes(maxBytes, payload as Readable) : payload);
  });
}

function limitBytes(maxBytes: number, payload: Readable): Readable {
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
