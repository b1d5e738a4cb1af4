import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConflictError,
  LeaseExpiredError,
  NetworkError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  Spooled,
  ValidationError,
} from '../index.js';

type Script = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let seen: { method?: string; url?: string; headers: IncomingMessage['headers']; text: string }[];
/** Responses of the server in order; the last one is repeated. */
let scripts: Script[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      seen.push({ method: request.method, url: request.url, headers: request.headers, text });
      const script = scripts.length > 1 ? scripts.shift()! : scripts[0]!;
      script(Object.assign(request, { text }), response);
    });
  });
  baseUrl = await urlOf(server);
});
beforeEach(() => (seen = []));
afterAll(() => close(server));

async function urlOf(listener: Server): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}
function close(listener: Server): void {
  listener.closeAllConnections();
  listener.close();
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const client = (more = {}) => new Spooled({ baseUrl, apiKey: 'key', retry: { delayMs: 1 }, ...more });
/** The error of a call. */
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => Promise.reject(new Error(`It answered ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );

describe('a name in a path', () => {
  it.each(['', '.', '..', undefined as unknown as string])(
    'is refused before anything is sent when it would make the path of another route: %p',
    async (name) => {
      scripts = [answer(200, {})];
      const { jobs, queues, ingestion } = client();
      const calls = [
        // PUT /queues/./config changes the queue "config", DELETE /queues/./payload-contract deletes a queue.
        queues.configure(name, {}),
        queues.payloadContract.delete(name),
        jobs.get(name),
        ingestion.standard({
          organizationId: name,
          id: 'm',
          body: '{}',
          secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
        }),
      ];
      for (const error of await Promise.all(calls.map(failure))) expect(error).toBeInstanceOf(ValidationError);
      expect(seen).toEqual([]);
    },
  );

  it('reaches the server as it is', async () => {
    scripts = [answer(200, {})];
    for (const name of ['...', '.a', 'a/../b', '%2e%2e', 'q?x#y', 'ü']) await client().queues.get(name);
    expect(seen.map(({ url }) => decodeURIComponent(url!.slice('/api/v1/queues/'.length)))).toEqual([
      '...',
      '.a',
      'a/../b',
      '%2e%2e',
      'q?x#y',
      'ü',
    ]);
  });
});

describe('a list', () => {
  it('says whether rows follow, and is an array otherwise', async () => {
    scripts = [answer(200, [{ queue_name: 'a' }], { 'x-has-more': 'true', 'x-next-cursor': 'next' })];
    const queues = await client().queues.list({ limit: 1, offset: 2 });
    expect([queues, queues.hasMore, queues.nextCursor]).toEqual([[{ queueName: 'a' }], true, 'next']);
    expect(JSON.stringify(queues)).toBe('[{"queueName":"a"}]');
    expect(seen[0]!.url).toBe('/api/v1/queues?limit=1&offset=2');
    scripts = [answer(200, [], { 'x-has-more': 'false' })];
    expect((await client().queues.list()).hasMore).toBe(false);
    scripts = [answer(200, [])];
    expect(await client().queues.list()).toMatchObject({ hasMore: null, nextCursor: null });
  });

  it('is refused when it leads to itself, so that reading all pages ends', async () => {
    scripts = [answer(200, [{ id: '1' }], { 'x-has-more': 'true', 'x-next-cursor': 'a' })];
    expect((await client().jobs.list({ limit: 1 })).nextCursor).toBe('a');
    expect(await failure(client().jobs.list({ limit: 1, after: 'a' }))).toMatchObject({ code: 'FOREIGN_RESPONSE' });
  });

  it('is refused as well when it is a page of a log', async () => {
    scripts = [answer(200, { lines: [{}], attempts: [], next_cursor: 'a', has_more: true })];
    expect((await client().jobs.logs('1')).nextCursor).toBe('a');
    expect(await failure(client().jobs.logs('1', { cursor: 'a' }))).toMatchObject({ code: 'FOREIGN_RESPONSE' });
  });

  it('sends the filters of jobs by their API names, statuses joined by commas', async () => {
    scripts = [answer(200, [])];
    const filters = {
      jobType: 'mail',
      createdAfter: '2026-10-01T00:00:00+00:00',
      tag: 'a b',
      q: 'x',
      search: 'tag:a=1',
    } as const;
    await client().jobs.list({ ...filters, status: ['failed', 'deadletter'] });
    await client().jobs.list({ status: 'pending' });
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/jobs?job_type=mail&created_after=2026-10-01T00%3A00%3A00%2B00%3A00&tag=a+b&q=x&search=tag%3Aa%3D1&status=failed%2Cdeadletter',
      '/api/v1/jobs?status=pending',
    ]);
  });
});

describe('a call', () => {
  it('sends the credential, API names and an escaped path, and parses the response', async () => {
    scripts = [answer(200, { queue_name: 'a/b', paused: true, paused_at: 'now' })];
    expect(await client().queues.pause('a/b', 'lunch')).toMatchObject({ queueName: 'a/b', pausedAt: 'now' });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/queues/a%2Fb/pause', text: '{"reason":"lunch"}' });
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer key', 'content-type': 'application/json' });
  });

  it('BX-13 loses no digit of an integer, either way', async () => {
    const job: Script = (_, response) => response.end('{"id":"1","payload":{"id":9007199254740993}}');
    scripts = [job];
    expect(await client().jobs.get('1')).toMatchObject({ payload: { id: 9007199254740993n } });
    expect(await client({ largeIntegers: 'number' }).jobs.get('1')).toMatchObject({ payload: { id: 2 ** 53 } });
    scripts = [answer(201, { id: '1', created: true })];
    await client().jobs.create({ queueName: 'q', payload: { id: -9223372036854775808n } });
    expect(seen.at(-1)!.text).toBe('{"queue_name":"q","payload":{"id":-9223372036854775808}}');
  });

  it.each([
    [422, 'VALIDATION_ERROR', ValidationError],
    [409, 'CONFLICT', ConflictError],
    [409, 'LEASE_EXPIRED', LeaseExpiredError],
    [429, 'QUOTA_EXCEEDED', QuotaExceededError],
    [500, 'INTERNAL_ERROR', ServerError],
  ])('converts %d %s to its own error class with all details', async (status, code, kind) => {
    scripts = [answer(status, { code, message: 'no', details: { queue_name: 'is odd' } }, { 'x-request-id': 'r1' })];
    const error = await failure(client().jobs.create({ queueName: 'q', payload: {} }));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, code, message: 'no', details: { queue_name: 'is odd' }, requestId: 'r1' });
    expect(seen).toHaveLength(1);
  });

  it("makes sense of a proxy's page", async () => {
    scripts = [(_, response) => response.writeHead(502).end('<html>Bad gateway')];
    expect(await failure(client({ retry: { retries: 0 } }).queues.list())).toMatchObject({
      name: 'ServerError',
      status: 502,
    });
  });

  it('takes no page of another program for a success', async () => {
    scripts = [(_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Login</h1>')];
    const { jobs, queues } = client();
    for (const call of [jobs.cancel('id'), jobs.list(), queues.resume('q')])
      expect(await failure(call)).toMatchObject({
        code: 'FOREIGN_RESPONSE',
        message: expect.stringContaining('no JSON'),
      });
    scripts = [answer(200, { jobs: [] })];
    expect(await failure(jobs.list())).toMatchObject({ code: 'FOREIGN_RESPONSE' });
    scripts = [answer(200, { status: 'ok' })];
    expect(await failure(jobs.claim({ queueName: 'q', workerId: 'w' }))).toMatchObject({ code: 'FOREIGN_RESPONSE' });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect, which could take secrets elsewhere (%d)', async (status) => {
    scripts = [answer(status, {}, { location: `${baseUrl}/elsewhere` }), answer(200, [])];
    const { jobs, admin } = client({ adminKey: 'admin-secret' });
    expect(await failure(admin.services())).toMatchObject({
      code: 'REDIRECTED',
      status,
      message: expect.stringContaining(`to ${baseUrl}/elsewhere`),
    });
    scripts = [answer(status, {}, { location: `${baseUrl}/elsewhere` }), answer(200, [])];
    expect(await failure(jobs.create({ queueName: 'q', payload: {} }))).toMatchObject({ code: 'REDIRECTED' });
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1/admin/services', '/api/v1/jobs']);
  });

  it('retries reads and jobs with an idempotency key after 5xx and broken connections, but not other jobs', async () => {
    const broken: Script = (request) => request.socket.destroy();
    const away = answer(503, { code: 'SERVICE_UNAVAILABLE', message: 'away' });
    scripts = [broken, away, answer(201, { id: '1', created: true })];
    const job = { queueName: 'q', payload: {} };
    expect(await client().jobs.create({ ...job, idempotencyKey: 'k' })).toEqual({ id: '1', created: true });
    expect(seen).toHaveLength(3);
    scripts = [broken];
    expect(await failure(client().jobs.create(job))).toBeInstanceOf(NetworkError);
    expect(seen).toHaveLength(4);
  });

  describe('that deletes, after a lost response', () => {
    const lost: Script = (request) => request.socket.destroy();
    const gone = answer(404, { code: 'NOT_FOUND', message: 'gone' });

    it.each<[string, (spooled: Spooled) => Promise<unknown>]>([
      ['a schedule', ({ schedules }) => schedules.delete('1')],
      ['a queue', ({ queues }) => queues.delete('q')],
      ['a payload contract', ({ queues }) => queues.payloadContract.delete('q')],
      ['an outgoing webhook', ({ outgoingWebhooks }) => outgoingWebhooks.delete('1')],
      ['an API key', ({ apiKeys }) => apiKeys.revoke('1')],
      ['a throttle', ({ throttles }) => throttles.release('1')],
      ['a mute', ({ deadLetters }) => deadLetters.unmute('1')],
      ['an organization', ({ admin }) => admin.deleteOrganization('1')],
    ])('succeeds when nothing is left: %s', async (_, remove) => {
      scripts = [lost, gone];
      await remove(client({ adminKey: 'admin' }));
      expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
    });

    it('fails when nothing was there, as far as the SDK can know', async () => {
      const limited = answer(429, { code: 'RATE_LIMIT_EXCEEDED', message: 'slow' }, { 'retry-after': '0' });
      for (const responses of [[gone], [limited, gone]]) {
        scripts = responses;
        expect(await failure(client().schedules.delete('1'))).toBeInstanceOf(NotFoundError);
      }
      scripts = [lost, (_, response) => response.writeHead(404).end('<h1>Not found')];
      expect(await failure(client().schedules.delete('1'))).toBeInstanceOf(NotFoundError);
      scripts = [lost, gone];
      expect(await failure(client().schedules.get('1'))).toBeInstanceOf(NotFoundError);
    });

    it('cancels a job, unless the job has ended otherwise', async () => {
      const ended = answer(409, { code: 'CONFLICT', message: 'it has ended' });
      const job = (status: string) => answer(200, { id: '1', status });
      scripts = [lost, ended, job('cancelled')];
      await client().jobs.cancel('1');
      scripts = [lost, ended, job('completed')];
      expect(await failure(client().jobs.cancel('1'))).toBeInstanceOf(ConflictError);
      scripts = [ended];
      expect(await failure(client().jobs.cancel('1'))).toBeInstanceOf(ConflictError);
    });
  });

  it('waits for a rate limit as long as Retry-After says', async () => {
    const limited = answer(429, { code: 'RATE_LIMIT_EXCEEDED', message: 'slow' }, { 'retry-after': '0' });
    scripts = [limited, answer(200, [])];
    expect(await client().queues.list()).toEqual([]);
    scripts = [answer(429, { code: 'RATE_LIMIT_EXCEEDED', message: 'slow' }, { 'retry-after': '600' })];
    const error = await failure(client().queues.list());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 600 });
  });

  it('times out without a response, and ends at once when the caller aborts', async () => {
    // Not the server of the other tests: a request may arrive after its timeout, and would take the response of another one.
    const silent = createServer(() => undefined);
    const impatient = client({ baseUrl: await urlOf(silent), timeoutMs: 50, retry: { retries: 0 } });
    expect(await failure(impatient.queues.list())).toBeInstanceOf(NetworkError);
    close(silent);
    const signal = AbortSignal.abort(new Error('changed my mind'));
    expect(await failure(client().queues.list({}, { signal }))).toMatchObject({ message: 'changed my mind' });
  });

  it('renews an expired access token once', async () => {
    const expired = answer(401, { code: 'UNAUTHORIZED', message: 'expired' });
    scripts = [expired, answer(200, { access_token: 'new' }), answer(200, [])];
    const session = client({ apiKey: undefined, accessToken: 'old', refreshToken: 'again' });
    expect(await session.queues.list()).toEqual([]);
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v1/queues', 'Bearer old'],
      ['/api/v1/auth/refresh', undefined],
      ['/api/v1/queues', 'Bearer new'],
    ]);
    scripts = [expired];
    expect(await failure(session.queues.list())).toMatchObject({ name: 'AuthenticationError' });
  });

  it('renews an expired access token once for requests at the same time, and for one that is answered later', async () => {
    const late = Promise.withResolvers<void>();
    const respond: Script = (request, response) => {
      const { url, headers } = request;
      if (url === '/api/v1/auth/refresh') return answer(200, { access_token: 'new' })(request, response);
      if (headers.authorization === 'Bearer new') return answer(200, [])(request, response);
      const expired = () => answer(401, { code: 'UNAUTHORIZED', message: 'expired' })(request, response);
      if (url === '/api/v1/workers') void late.promise.then(expired);
      else expired();
    };
    scripts = [respond];
    const session = client({ apiKey: undefined, accessToken: 'old', refreshToken: 'again' });
    const workers = session.workers.list();
    expect(await Promise.all([1, 2, 3].map(() => session.queues.list()))).toEqual([[], [], []]);
    late.resolve();
    expect(await workers).toEqual([]);
    expect(seen.filter(({ url }) => url === '/api/v1/auth/refresh')).toHaveLength(1);
  });
});
