import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/**
 * Answers 408 when a handler takes longer than `limitMs`. Fastify's own `handlerTimeout` also aborts a signal at the end of every
 * request, whether anybody listens or not: the error that it makes for that cost a seventh of all the time of a small POST.
 */
export function limitHandlers(fastify: FastifyInstance, limitMs = 30_000): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions;
    const { passedOn, mayWaitMs = 0 } = (config ?? {}) as { passedOn?: boolean; mayWaitMs?: number };
    // What is passed on has limits of its own; an event stream has none.
    if (!passedOn) {
      const refuse = () => void (reply.sent || reply.send(new errorCodes.FST_ERR_HANDLER_TIMEOUT(limitMs, url)));
      timers.set(request, setTimeout(refuse, limitMs + mayWaitMs).unref());
    }
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(timers.get(request));
    done();
  });
}
