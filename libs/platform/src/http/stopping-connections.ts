import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '@spooled/clock';
import type { FastifyInstance } from 'fastify';
import { nextTurn } from '../lifecycle/next-turn.js';

/**
 * What becomes of open connections when the server closes. Used with Fastify's `return503OnClosing: false`.
 *
 * For `drainMs` it waits for requests on open connections, no longer than until all have left: a connection that was closed at once could
 * be one on which a request is under way. Each response asks with `Connection: close` to send the next request elsewhere, also that to a
 * request of before. Afterwards connections without a request are closed, also those on which none was ever sent: browsers and
 * proxies open such connections in advance; Node counts them as active and would wait for a request until the request timeout.
 */
export function drainConnections(fastify: FastifyInstance, drainMs: number): void {
  const unused = new Set<Socket>();
  const used = new Set<Socket>();
  const left = new AbortController();
  let isDraining = false;
  const remove = (socket: Socket) => {
    unused.delete(socket);
    used.delete(socket);
    if (isDraining && used.size === 0) left.abort();
  };
  fastify.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => remove(socket));
  });
  fastify.server.on('request', ({ socket }: IncomingMessage) => {
    if (unused.delete(socket)) used.add(socket);
  });
  fastify.server.on('upgrade', ({ socket }: IncomingMessage) => remove(socket));
  fastify.addHook('preClose', async () => {
    isDraining = true;
    if (drainMs > 0 && used.size > 0) await systemClock.sleep(drainMs, left.signal);
    // Requests that have arrived while this process was busy.
    await nextTurn();
    for (const socket of unused) socket.destroy();
    // Fastify closes connections of its own server only.
    const closed = fastify.sharedPort.close();
    fastify.server.closeIdleConnections();
    await closed;
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });
}
