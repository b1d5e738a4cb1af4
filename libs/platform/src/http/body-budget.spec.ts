import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitBodies } from './body-budget.js';

const maxBytes = 1000;

describe('boundBodies', () => {
  let fastify: FastifyInstance;
  let port: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    fastify = Fastify();
    limitBodies(fastify, {
      maxBytes,
      ownerOf: ({ headers }) => ({ name: String(headers.owner), weight: 1 }),
      isExempt: ({ url }) => url === '/exempt',
    });
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const url of ['/', '/exempt']) {
      fastify.post(url, ({ body }) => ({ bytes: (body as Buffer | null)?.length ?? 0 }));
    }
    fastify.setErrorHandler((error: { status?: number; retryAfterSeconds?: number }, _request, reply) =>
      reply
        .status(error.status ?? 500)
        .header('retry-after', error.retryAfterSeconds)
        .send(),
    );
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    port = (fastify.server.address() as AddressInfo).port;
  });
  afterAll(() => fastify.close());
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await untilFree();
  });

  const ask = (body: string, owner = 'one', path = '/') =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { owner }, body });
  const untilFree = async () => {
    while ((await ask('x'.repeat(500), 'other')).status !== 200);
  };

  /** Sends the headers of a request and `sent` of its body; resolves once the server has read the headers. */
  async function hold(length: string, owner: string, sent = ''): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const head = ['POST / HTTP/1.1', 'host: x', `owner: ${owner}`, 'expect: 100-continue', length];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toContain('100 Continue');
    socket.write(sent);
    return socket;
  }
  const announced = (bytes: number, owner: string) => hold(`content-length: ${bytes}`, owner);
  const chunked = (bytes: number, owner: string) =>
    hold('transfer-encoding: chunked', owner, `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);

  it('accepts bodies within the limit, and further ones after the responses', async () => {
    for (let i = 0; i < 5; i++) expect(await (await ask('x'.repeat(400))).json()).toEqual({ bytes: 400 });
  });

  it.each([
    ['announced', announced],
    ['sent in chunks', chunked],
  ])(
    'answers 503 with Retry-After beyond what others have %s, and takes bodies again when those are gone',
    async (_, send) => {
      const held = await send(450, 'two');
      await send(450, 'three');
      const untilRefused = async () => {
        for (;;) {
          const answer = await ask('x'.repeat(200));
          if (answer.status === 503) return answer;
        }
      };
      expect((await untilRefused()).headers.get('retry-after')).toBe('1');
      expect((await ask('')).status).toBe(200);
      expect((await ask('x'.repeat(2000), 'one', '/exempt')).status).toBe(200);
      held.destroy();
      while ((await ask('x'.repeat(200))).status !== 200);
    },
  );

  it('rejects a body of unknown length that exceeds the limit', async () => {
    await announced(450, 'two');
    await announced(450, 'three');
    const socket = await chunked(50, 'four');
    socket.write(`c8\r\n${'x'.repeat(200)}\r\n`);
    expect(String((await once(socket, 'data'))[0])).toContain('503');
  });

  it('limits the share of an owner, and always accepts a single body', async () => {
    expect((await ask('x'.repeat(3000))).status).toBe(200);
    await announced(400, 'greedy');
    expect((await ask('x'.repeat(200), 'greedy')).status).toBe(503);
    expect((await ask('x'.repeat(200), 'modest')).status).toBe(200);
  });

  it('accepts further bodies when a connection with pipelined requests closes', async () => {
    const socket = connect(port, '127.0.0.1');
    const one = `POST / HTTP/1.1\r\nhost: x\r\nowner: many\r\ncontent-length: 400\r\n\r\n`;
    socket.write(`${one}${'x'.repeat(400)}${one}`);
    await once(socket, 'data');
    socket.destroy();
    while ((await ask('x'.repeat(450), 'many')).status !== 200);
  });
});
