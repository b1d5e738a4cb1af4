import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes connections without any request when the server closes. Browsers and proxies open such connections in advance; Node counts
 * them as active and would wait for a request until the request timeout.
 */
export function dropUnusedConnections(fastify: FastifyInstance): void {
  const unused = new Set<Socket>();
  const used = ({ socket }: IncomingMessage) => unused.delete(socket);
  fastify.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  fastify.server.on('request', used);
  fastify.server.on('upgrade', used);
  fastify.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    done();
  });
}
