import { randomInt, randomUUID } from 'node:crypto';
import { createTenant, type Stack, startStack, type TestTenant, securityHeaders } from '@spooled/testing';
import { bodyOf, gatewayRoutes, type DescribedRoute } from './api-description.js';
import { outOfBounds, sampleOf, type Variant, withoutOne, withWrongType } from './body-samples.js';
import { describedRoute, expectDescribedResponse } from './described-responses.js';

/**
 * Every described route under /api/v1 against everything that may be wrong with a request. One test is one kind of wrong; it
 * collects what every route answered otherwise, so that a failure reads as a list of routes.
 */
const routes = gatewayRoutes();
const withBody = routes.filter(({ operation }) => operation.requestBody);
const wants = ({ operation }: DescribedRoute, scheme: 'bearer' | 'admin') =>
  operation.security.some((each) => scheme in each);

/** These take an access token and no API key. */
const sessionOnly = new Set(['/api/v1/auth/me', '/api/v1/auth/logout']);
/** With these, a name that nobody has is no mistake: they tell whether it is taken, count what it has, or make it. */
const fineWithUnknownIds = /^(GET .*\/check-slug\/|PUT \/api\/v1\/queues\/|GET .*\/queues\/.*\/stats$)/;
const responseHeaders = { ...securityHeaders, 'x-api-version': '1' };

interface Asked {
  status: number;
  headers: Headers;
  code?: string;
  message: string;
  details: Record<string, string>;
}

let stack: Stack;
let tenant: TestTenant;
let scopedKey: string;

beforeAll(async () => {
  // Limits of addresses are not what this is about: every request comes from another one.
  stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0, env: { TRUSTED_PROXY_HOPS: '1' } });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  scopedKey = await tenant.keyFor('only-this');
}, 60_000);
afterAll(() => stack?.stop());

const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
const credentialFor = (route: DescribedRoute): Record<string, string> =>
  wants(route, 'admin') ? { 'x-admin-key': stack.adminKey } : { authorization: `Bearer ${tenant.key}` };

/** The route's path with ids: unknown ones, but for the caller's own organization where a body is to be looked at. */
function target({ path }: DescribedRoute, ids = 'known enough'): string {
  const own = path.startsWith('/api/v1/organizations/{id}') && ids === 'known enough';
  const id = ids === 'known enough' ? randomUUID() : ids;
  return path.replaceAll(/\{\w+\}/g, own ? tenant.organizationId : id);
}

interface Question {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  /** A string is sent as it is; undefined sends nothing. */
  body?: unknown;
}

async function ask(route: DescribedRoute, question: Question = {}): Promise<Asked> {
  const { path = target(route), method = route.method, headers = credentialFor(route), body } = question;
  const response = await fetch(stack.baseUrl + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress(), ...headers },
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const parsed = text === '' ? null : JSON.parse(text);
  expectDescribedResponse(method, path, response.status, parsed);
  const { code, message = '', details = {} } = (parsed ?? {}) as Partial<Asked>;
  return { status: response.status, headers: response.headers, code, message, details };
}

/** What a client finds on every answer, whatever it is. `limited` = it got as far as being counted. */
function missingHeaders({ headers }: Asked, limited: boolean): string[] {
  const wrong = Object.entries(responseHeaders).filter(([name, value]) => headers.get(name) !== value);
  const told = ['x-request-id', ...(limited ? ['limit', 'remaining', 'reset'].map((one) => `x-ratelimit-${one}`) : [])];
  return [...wrong.map(([name]) => name), ...told.filter((name) => !headers.get(name))];
}

type Cell = { route: DescribedRoute; question?: Question; label?: string };
type Check = (answer: Asked) => boolean;

/** Asks everything and lists whatever was answered otherwise than `isRight` wants. */
async function differences(cells: Cell[], isRight: Check, { limited = true } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const { route, question, label = '' } of cells) {
    const name = `${question?.method ?? route.method} ${route.path} ${label}`;
    const answer = await ask(route, question).catch((error: Error) => error.message);
    if (typeof answer === 'string') found.push(`${name}: ${answer}`);
    else {
      if (!isRight(answer)) found.push(`${name}: ${answer.status} ${answer.code} ${answer.message}`);
      const missing = missingHeaders(answer, limited);
      if (missing.length > 0) found.push(`${name}: without ${missing.join(', ')}`);
    }
  }
  expect(cells.length).toBeGreaterThan(0);
  return found;
}

const is =
  (status: number, code: string): Check =>
  (answer) =>
    answer.status === status && answer.code === code;
const sample = ({ operation }: DescribedRoute) => {
  const schema = bodyOf(operation);
  return schema && sampleOf(schema);
};
const variants = (make: (schema: NonNullable<ReturnType<typeof bodyOf>>) => Variant[]) =>
  withBody.flatMap((route) => make(bodyOf(route.operation)!).map((variant) => ({ route, variant })));

describe('every route and its credential', () => {
  const guarded = routes.filter(({ operation }) => operation.security.length > 0);
  const byKey = guarded.filter((route) => wants(route, 'bearer'));

  it('SP-68 answers 401 to nobody', async () => {
    const cells = guarded.map((route) => ({ route, question: { headers: {}, body: sample(route) } }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-68 answers 401 to made-up keys and tokens, and to a good key in the query', async () => {
    const madeUp: Record<string, string>[] = [
      { authorization: 'Bearer sk_live_0123456789abcdefghijklmnopqrstuv' },
      { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl' },
      { authorization: 'Basic dXNlcjpwYXNz', 'x-admin-key': 'made-up-administrator-key' },
    ];
    const cells = guarded.flatMap((route) => [
      ...madeUp.map((headers) => ({ route, question: { headers, body: sample(route) } })),
      { route, question: { headers: {}, path: `${target(route)}?api_key=${tenant.key}&token=${tenant.key}` } },
    ]);
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-68 answers 403 to a key for other queues, and where only a key for all of them may', async () => {
    const namesQueue = (route: DescribedRoute) =>
      route.path.startsWith('/api/v1/queues/{') || bodyOf(route.operation)?.required?.includes('queue_name');
    const cells = byKey
      .filter((route) => route.operation['x-unscoped'] || namesQueue(route))
      .map((route) => ({
        route,
        question: { headers: { authorization: `Bearer ${scopedKey}` }, body: sample(route) },
      }));
    expect(await differences(cells, is(403, 'ACCESS_DENIED'))).toEqual([]);
  });

  it('SP-68 answers 401 to an API key where only an access token may', async () => {
    const cells = byKey.filter(({ path }) => sessionOnly.has(path)).map((route) => ({ route }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });
});

describe('every route and its body', () => {
  it('SP-14 answers 400 to what is not JSON', async () => {
    const bodies = ['{"', 'not json', '{"a":1,}', "{'a':1}"];
    const cells = withBody
      .filter(({ path }) => !sessionOnly.has(path))
      .flatMap((route) => bodies.map((body) => ({ route, question: { body } })));
    expect(await differences(cells, is(400, 'INVALID_JSON'))).toEqual([]);
  });

  it('SP-04 answers 401 before it looks at the body', async () => {
    const cells = withBody
      .filter(({ operation }) => operation.security.length > 0)
      .map((route) => ({ route, question: { headers: {}, body: '{"' } }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-14 answers 415 to what does not say that it is JSON', async () => {
    const cells = withBody.map((route) => {
      const headers = { ...credentialFor(route), 'content-type': 'text/plain' };
      return { route, question: { headers, body: '{}' } };
    });
    expect(await differences(cells, is(415, 'UNSUPPORTED_MEDIA_TYPE'), { limited: false })).toEqual([]);
  });

  const needsBody = withBody.filter(({ path, operation }) => operation.requestBody!.required && !sessionOnly.has(path));

  it('SP-14 answers 400 when the body that it needs is missing', async () => {
    const cells = needsBody.map((route) => ({ route }));
    expect(await differences(cells, is(400, 'INVALID_JSON'))).toEqual([]);
  });

  it('SP-14 accepts no body behind the JSON content type, {} and {"reason":null} where it needs none', async () => {
    const cells = routes
      .filter((route) => !needsBody.includes(route) && route.method !== 'GET')
      // Deleted, the organization would be missing to everything else.
      .filter(({ method, path }) => `${method} ${path}` !== 'DELETE /api/v1/organizations/{id}')
      .flatMap((route) => [undefined, {}, { reason: null }].map((body) => ({ route, question: { body } })));
    const isAccepted: Check = ({ status, code }) => code !== 'INVALID_JSON' && ![415, 422].includes(status);
    expect(await differences(cells, isAccepted)).toEqual([]);
  });

  const names = (field: string, { message, details }: Asked) => message.includes(field) && details[field] !== undefined;

  /** Asks with each variant; each answer must have this status and name the field. */
  async function checkVariants(make: Parameters<typeof variants>[0], status: number): Promise<string[]> {
    const found: string[] = [];
    for (const { route, variant } of variants(make).filter(({ route }) => !sessionOnly.has(route.path))) {
      const isRight: Check = (answer) => is(status, 'VALIDATION_ERROR')(answer) && names(variant.field, answer);
      const label = `${variant.field}=${JSON.stringify(variant.body).slice(0, 150)}`;
      found.push(...(await differences([{ route, question: { body: variant.body }, label }], isRight)));
    }
    return found;
  }

  it('SP-14 answers 422 and names the field when a required one is missing', async () => {
    expect(await checkVariants(withoutOne, 422)).toEqual([]);
  });

  it('SP-14 answers 422 and names the field when one has another type', async () => {
    expect(await checkVariants(withWrongType, 422)).toEqual([]);
  });

  it('SP-14 answers 400 and names the field when one is beyond its bounds', async () => {
    expect(await checkVariants(outOfBounds, 400)).toEqual([]);
  });

  it('SP-14 ignores fields that it does not know', async () => {
    const found: string[] = [];
    for (const route of withBody) {
      const [without, beside] = [await ask(route, { body: sample(route) }), sample(route) as object];
      const isSame: Check = ({ status, code }) => status === without.status && code === without.code;
      const body = { ...beside, queueName: 'x', noSuchField: { deep: [1] } };
      found.push(...(await differences([{ route, question: { body } }], isSame)));
    }
    expect(found).toEqual([]);
  });
});

describe('every route and its path', () => {
  const withIds = routes.filter(
    ({ method, path }) => path.includes('{') && !fineWithUnknownIds.test(`${method} ${path}`),
  );
  const cellsWith = (ids: () => string) =>
    withIds.map((route) => ({ route, question: { path: target(route, ids()), body: sample(route) } }));

  it('SP-18 answers 404 to an id that nobody has', async () => {
    expect(await differences(cellsWith(randomUUID), is(404, 'NOT_FOUND'))).toEqual([]);
  });

  it('SP-18 answers 404 to an id that is no UUID', async () => {
    for (const id of ['not-a-uuid', '0', '%00', 'x'.repeat(300)]) {
      expect(
        await differences(
          cellsWith(() => id),
          is(404, 'NOT_FOUND'),
        ),
      ).toEqual([]);
    }
  });

  it('SP-18 answers 405 to a method that a path does not have, and tells which it has', async () => {
    const cells = routes.flatMap((route) => {
      const path = target(route);
      const method = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'].find((each) => !describedRoute(each, path));
      return method ? [{ route, question: { method, path } }] : [];
    });
    const isRefused: Check = (answer) =>
      is(405, 'METHOD_NOT_ALLOWED')(answer) && (answer.headers.get('allow') ?? '').length > 2;
    expect(await differences(cells, isRefused, { limited: false })).toEqual([]);
  });
});

describe('the measure itself', () => {
  it('notices answers unlike their description: members missing, of another type, statuses and bodies unheard of', () => {
    const job = `/api/v1/jobs/${randomUUID()}`;
    expect(() => expectDescribedResponse('GET', '/api/v1/jobs/stats', 200, { pending: 1 })).toThrow('scheduled');
    expect(() => expectDescribedResponse('GET', '/api/v1/queues?limit=1', 200, {})).toThrow('must be array');
    expect(() => expectDescribedResponse('POST', '/api/v1/jobs', 202, {})).toThrow('does not describe');
    expect(() => expectDescribedResponse('DELETE', job, 204, { deleted: true })).toThrow('with a body');
    expect(() => expectDescribedResponse('DELETE', job, 409, { error: 'x' })).toThrow("'code'");
    expectDescribedResponse('DELETE', job, 409, { code: 'CONFLICT', message: 'x' });
  });
});
