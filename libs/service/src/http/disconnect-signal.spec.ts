import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { once } from 'node:events';
import { endSignal } from './disconnect-signal.js';

describe('the end of a request', () => {
  let server: FastifyInstance;
  let url: string;
  /** Resolves with the reply of the next request, in an object, because a reply has a `then`. */
  let begun: PromiseWithResolvers<{ reply: FastifyReply }>;

  beforeAll(async () => {
    server = Fastify();
    server.get('/', (_request, reply) => begun.resolve({ reply }));
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  beforeEach(() => void (begun = Promise.withResolvers()));
  afterAll(() => server.close());

  const aborted = async (signal: AbortSignal) => signal.aborted || (await once(signal, 'abort'), true);

  it('is signalled when its caller leaves, also to those who ask afterwards', async () => {
    const caller = new AbortController();
    const answered = fetch(url, { signal: caller.signal }).catch(() => undefined);
    const { reply } = await begun.promise;
    const signal = endSignal(reply);
    expect(signal.aborted).toBe(false);
    caller.abort();
    expect(await aborted(signal)).toBe(true);
    expect(endSignal(reply).aborted).toBe(true);
    await answered;
  });

  it('is signalled when it is answered while its handler is still busy: it took too long', async () => {
    const answered = fetch(url);
    const { reply } = await begun.promise;
    const signal = endSignal(reply);
    void reply.status(408).send();
    expect((await answered).status).toBe(408);
    expect(await aborted(signal)).toBe(true);
  });
});
