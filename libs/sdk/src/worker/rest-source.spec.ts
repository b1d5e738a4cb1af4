import {
  AccessDeniedError,
  LeaseExpiredError,
  NotFoundError,
  type RetryOptions,
  ServerError,
  Spooled,
  ValidationError,
} from '../index.js';
import { RestSource } from './rest-source.js';
import type { LeasedJob } from './work-source.js';

interface Request {
  path: string;
  // Requests are compared with literals of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

let seen: Request[];

/** A source whose server responds with the status and body that `answer` returns. */
function sourceOf(
  answer: (request: Request) => [status: number, body: unknown],
  retry: RetryOptions = { retries: 0 },
): RestSource {
  seen = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = {
      path: new URL(url).pathname.slice('/api/v1'.length),
      body: JSON.parse(String(init.body ?? null)),
    };
    seen.push(request);
    const [status, body] = answer(request);
    return new Response(JSON.stringify(body), { status });
  };
  const options = { baseUrl: 'http://spooled.test', apiKey: 'key', retry };
  return new RestSource(new Spooled({ ...options, fetch: fetch as typeof globalThis.fetch }));
}

const job = (id: string): LeasedJob => {
  return {
    ...{ id, queueName: 'q', payload: {}, retryCount: 0, maxRetries: 3, timeoutSeconds: 300, leaseId: `lease-${id}` },
    ...{ priority: 0, createdAt: '2026-01-01T00:00:00Z', idempotencyKey: null, traceparent: null },
  };
};
const completeAll = (source: RestSource, ids: string[]) =>
  Promise.allSettled(ids.map((id) => source.complete(job(id), { of: id })));
const problem = (code: string) => ({ code, message: 'no' });
const paths = () => seen.map(({ path }) => path);
const ids = ['a', 'b', 'c'];
const alone = ids.map((id) => `/jobs/${id}/complete`);
const success = [200, { success: true }] as [number, unknown];

describe('completions over REST', () => {
  it('are sent at once or share the next request, and each gets its own outcome', async () => {
    const source = sourceOf(({ path }) => {
      if (path !== '/jobs/complete/bulk') return success;
      const refused = ['LEASE_EXPIRED', 'CONFLICT', 'DATABASE_ERROR'].map((code) => {
        return { success: false, job_id: code, error: problem(code) };
      });
      return [200, { results: [{ success: true, job_id: 'b' }, ...refused] }];
    });
    const outcomes = await completeAll(source, ['a', 'b', 'late', 'again', 'unlucky']);
    // A job that has ended already was completed by a request whose response was lost.
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    const [, , late, , unlucky] = outcomes as PromiseRejectedResult[];
    expect([late!.reason, unlucky!.reason]).toEqual([expect.any(LeaseExpiredError), expect.any(ServerError)]);
    expect(paths()).toEqual(['/jobs/a/complete', '/jobs/complete/bulk']);
    expect(seen[1]!.body.jobs[0]).toEqual({ job_id: 'b', lease_id: 'lease-b', result: { of: 'b' } });
  });

  it('are sent one by one to a server without the bulk route, which is not tried again', async () => {
    const source = sourceOf(({ path }) => (path === '/jobs/complete/bulk' ? [404, problem('NOT_FOUND')] : success));
    for (const outcome of await completeAll(source, ids)) expect(outcome.status).toBe('fulfilled');
    expect(paths()).toEqual([alone[0], '/jobs/complete/bulk', alone[1], alone[2]]);
    await completeAll(source, ids);
    expect(paths().slice(4)).toEqual(alone);
  });

  it('are sent one by one if the batch is too large', async () => {
    const source = sourceOf(({ path }) =>
      path === '/jobs/complete/bulk' ? [413, problem('PAYLOAD_TOO_LARGE')] : success,
    );
    for (const outcome of await completeAll(source, ids)) expect(outcome.status).toBe('fulfilled');
    expect(paths()).toEqual([alone[0], '/jobs/complete/bulk', alone[1], alone[2]]);
  });

  it('are sent one by one if one of them is no JSON', async () => {
    const source = sourceOf(() => success);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const outcomes = await Promise.allSettled(
      ids.map((id) => source.complete(job(id), id === 'b' ? circular : { of: id })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(paths()).toEqual([alone[0], alone[2]]);
  });
});

describe('a failure over REST', () => {
  it.each([
    [200, []],
    [403, problem('FORBIDDEN')],
  ])('is of a lost lease unless the history shows it: %i', async (status, events) => {
    const source = sourceOf(({ path }) => (path.endsWith('/history') ? [status, events] : [404, problem('NOT_FOUND')]));
    await expect(source.fail(job('a'), 'no', true)).rejects.toEqual(expect.any(NotFoundError));
  });
});

describe('a release over REST', () => {
  const released = async (...answers: [status: number, body: unknown][]) => {
    const source = sourceOf(() => answers.shift()!, { retries: 1, delayMs: 0 });
    await source.release(job('a'));
    return paths();
  };
  const away = [503, problem('SERVICE_UNAVAILABLE')] as [number, unknown];

  it('is repeated while the server is away, because otherwise the job would wait for the end of its lease', async () => {
    expect(await released(away, success)).toEqual(['/jobs/a/release', '/jobs/a/release']);
  });

  it('succeeds when the job is released already', async () => {
    expect(await released(away, [409, problem('LEASE_EXPIRED')])).toHaveLength(2);
    await expect(released([403, problem('FORBIDDEN')])).rejects.toBeInstanceOf(AccessDeniedError);
  });
});

describe('waiting claims over REST', () => {
  const wait = { seconds: 20, signal: new AbortController().signal };

  it('are sent until the server turns out not to support them', async () => {
    const willing = sourceOf(() => [200, { jobs: [] }]);
    expect(await willing.claim('q', 1, 30, wait)).toEqual([]);
    expect([seen[0]!.body.wait_seconds, willing.maxWaitSeconds]).toEqual([20, 20]);
    const older = sourceOf(({ body }) =>
      'wait_seconds' in body ? [400, problem('VALIDATION_ERROR')] : [200, { jobs: [] }],
    );
    expect(await older.claim('q', 1, 30, wait)).toEqual([]);
    expect([seen.length, older.maxWaitSeconds]).toEqual([2, 0]);
  });

  it('are sent again after one that is refused for another reason, such as its queue', async () => {
    const strict = sourceOf(() => [400, problem('VALIDATION_ERROR')]);
    await expect(strict.claim('no queue', 1, 30, wait)).rejects.toBeInstanceOf(ValidationError);
    expect(strict.maxWaitSeconds).toBe(20);
  });

  describe('of a worker that stops', () => {
    /** A claim whose answer the spec gives, unless the request is aborted before. */
    function claiming(seconds = 20) {
      const stopping = new AbortController();
      const answer = Promise.withResolvers<Response>();
      const fetch = (_url: string, { signal }: RequestInit) => {
        signal!.addEventListener('abort', () => answer.reject(signal!.reason as Error));
        return answer.promise;
      };
      const options = { baseUrl: 'http://spooled.test', apiKey: 'key', fetch: fetch as typeof globalThis.fetch };
      const claim = new RestSource(new Spooled(options)).claim('q', 1, 30, { seconds, signal: stopping.signal });
      return { stopping, answer, claim };
    }

    it('take the answer that is on its way, so that its jobs can be released', async () => {
      const { stopping, answer, claim } = claiming();
      stopping.abort();
      answer.resolve(Response.json({ jobs: [{ id: 'a' }] }));
      expect(await claim).toEqual([{ id: 'a' }]);
    });

    it.each([20, 0])('end soon without one, also if they wait %i s', async (seconds) => {
      const { stopping, claim } = claiming(seconds);
      stopping.abort();
      await expect(claim).rejects.toBe(stopping.signal.reason);
    });
  });
});
