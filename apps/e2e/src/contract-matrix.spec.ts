import { randomInt, randomUUID } from 'node:crypto';
import { securityHeaders } from '@spooled/testing';
import { bodyOf, gatewayRoutes, resolved, type DescribedRoute, type Schema } from './api-description.js';
import { openObjects, outOfBounds, sampleOf, type Variant, withoutOne, withWrongType } from './body-samples.js';
import { describedRoute, expectDescribedResponse } from './described-responses.js';
import { RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

/**
 * Sends every kind of invalid request to every described route under /api/v1. Each test covers one kind and collects the routes
 * with an unexpected response, so that a failure prints a list of routes.
 */
const routes = gatewayRoutes();
const withBody = routes.filter(({ operation }) => operation.requestBody);
const wants = ({ operation }: DescribedRoute, scheme: 'bearer' | 'admin' | 'signal') =>
  operation.security.some((each) => scheme in each);

/** Routes that accept an access token, but no API key. */
const sessionOnly = new Set(['/api/v1/auth/me', '/api/v1/auth/logout']);
/** Routes for which an unknown name is valid: they check whether it is in use, return its statistics, list what it has, or create it. */
const fineWithUnknownIds =
  /^(GET .*\/check-slug\/|PUT \/api\/v1\/queues\/|GET .*\/queues\/.*\/(stats|payload-contract\/versions)$)/;
/** The payload of a signal is the body. */
const takesAnyDocument = /^POST \/api\/v1\/signals$/;
/** Routes whose bodies published SDKs send: newer and older ones may send members that are unknown here. */
const publishedBodies = new Set(
  [
    ...['auth/login', 'auth/refresh', 'auth/logout', 'auth/validate', 'auth/email/check', 'auth/email/start'],
    ...['organizations', 'organizations/generate-slug', 'api-keys', 'billing/portal'],
    ...['admin/organizations', 'admin/organizations/{id}/api-keys'],
    ...['jobs', 'jobs/bulk', 'jobs/{id}/dependencies', 'jobs/dlq/retry', 'jobs/dlq/purge', 'jobs/claim'],
    ...['jobs/{id}/complete', 'jobs/{id}/fail', 'jobs/{id}/heartbeat', 'jobs/{id}/progress'],
    ...['workers/register', 'workers/{id}/heartbeat', 'queues/{name}/pause', 'schedules', 'workflows'],
    ...['workflows/{id}/retry', 'outgoing-webhooks', 'outgoing-webhooks/{id}/test'],
  ]
    .map((path) => `POST /api/v1/${path}`)
    .concat(
      ['organizations/{id}', 'api-keys/{id}', 'admin/organizations/{id}', 'jobs/{id}/priority', 'queues/{name}']
        .concat(['queues/{name}/config', 'schedules/{id}', 'outgoing-webhooks/{id}'])
        .map((path) => `PUT /api/v1/${path}`),
      'PATCH /api/v1/admin/organizations/{id}',
    ),
);
const nameOf = ({ method, path }: DescribedRoute) => `${method} ${path}`;
const responseHeaders = { ...securityHeaders, 'x-api-version': '1' };

interface Result {
  status: number;
  headers: Headers;
  code?: string;
  message: string;
  details: Record<string, string>;
}

const { stack, tenant } = useRest();
let scopedKey: string;
/** The query of a signal URL. */
let signalQuery: string;

beforeAll(async () => {
  // Every request has another address, so that limits per address do not apply.
  scopedKey = await tenant.keyFor('only-this');
  const rest = new RestCaller(stack.baseUrl, tenant.key);
  const { id } = (await rest.post('/jobs', { queue_name: 'signals', payload: {} })).body as { id: string };
  const made = await rest.post(`/jobs/${id}/signal-urls`, { step: 'approval' });
  signalQuery = new URL((made.body as { url: string }).url, stack.baseUrl).search;
});

const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
const credentialFor = (route: DescribedRoute): Record<string, string> =>
  wants(route, 'admin') ? { 'x-admin-key': stack.adminKey } : { authorization: `Bearer ${tenant.key}` };

/** The path of a route with unknown ids, or with the id of the caller's organization where the body must be validated. */
function target({ path }: DescribedRoute, ids = 'default'): string {
  const own = path.startsWith('/api/v1/organizations/{id}') && ids === 'default';
  const id = ids === 'default' ? randomUUID() : ids;
  return path.replaceAll(/\{\w+\}/g, own ? tenant.organizationId : id);
}

interface RequestOptions {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged; undefined = no body. */
  body?: unknown;
}

async function request(route: DescribedRoute, options: RequestOptions = {}): Promise<Result> {
  const { path = target(route), method = route.method, headers = credentialFor(route), body } = options;
  const isOwn = headers.authorization === `Bearer ${tenant.key}`;
  const query = isOwn && wants(route, 'signal') ? signalQuery : '';
  const response = await fetch(stack.baseUrl + path + query, {
    method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress(), ...headers },
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const parsed = text === '' ? null : JSON.parse(text);
  expectDescribedResponse(method, path, response.status, parsed);
  const { code, message = '', details = {} } = (parsed ?? {}) as Partial<Result>;
  return { status: response.status, headers: response.headers, code, message, details };
}

/** Headers missing from a response. @param limited the request reached the rate limiter */
function missingHeaders({ headers }: Result, limited: boolean): string[] {
  const wrong = Object.entries(responseHeaders).filter(([name, value]) => headers.get(name) !== value);
  const required = [
    'x-request-id',
    ...(limited ? ['limit', 'remaining', 'reset'].map((one) => `x-ratelimit-${one}`) : []),
  ];
  return [...wrong.map(([name]) => name), ...required.filter((name) => !headers.get(name))];
}

/** One of these for each route in turn: what refuses them is the same for all routes, which only have to use it. */
const inTurn = <T>(choices: T[], place: number): T => choices[place % choices.length]!;

type Cell = { route: DescribedRoute; options?: RequestOptions; label?: string };
type Check = (response: Result) => boolean;

/** Sends all requests and lists the responses that fail `isExpected`. */
async function differences(cells: Cell[], isExpected: Check, { limited = true } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const { route, options, label = '' } of cells) {
    const name = `${options?.method ?? route.method} ${route.path} ${label}`;
    const response = await request(route, options).catch((error: Error) => error.message);
    if (typeof response === 'string') found.push(`${name}: ${response}`);
    else {
      if (!isExpected(response)) found.push(`${name}: ${response.status} ${response.code} ${response.message}`);
      const missing = missingHeaders(response, limited);
      if (missing.length > 0) found.push(`${name}: without ${missing.join(', ')}`);
    }
  }
  expect(cells.length).toBeGreaterThan(0);
  return found;
}

const is =
  (status: number, code: string): Check =>
  (response) =>
    response.status === status && response.code === code;
const sample = ({ operation }: DescribedRoute) => {
  const schema = bodyOf(operation);
  return schema && sampleOf(schema);
};

describe('credentials of every route', () => {
  const guarded = routes.filter(({ operation }) => operation.security.length > 0);
  const byKey = guarded.filter((route) => wants(route, 'bearer'));

  it('SP-68 returns 401 without a credential', async () => {
    const cells = guarded.map((route) => ({ route, options: { headers: {}, body: sample(route) } }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-68 returns 401 for unknown keys and tokens, and for a valid key in the query', async () => {
    const invalid: Record<string, string>[] = [
      { authorization: 'Bearer sk_live_0123456789abcdefghijklmnopqrstuv' },
      { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl' },
      { authorization: 'Basic dXNlcjpwYXNz', 'x-admin-key': 'made-up-administrator-key' },
    ];
    const cells = guarded.map((route, place) => {
      const headers = inTurn([...invalid, undefined], place);
      return headers
        ? { route, options: { headers, body: sample(route) } }
        : { route, options: { headers: {}, path: `${target(route)}?api_key=${tenant.key}&token=${tenant.key}` } };
    });
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-68 returns 403 for a key for other queues, and on routes that require a key for all queues', async () => {
    const namesQueue = (route: DescribedRoute) =>
      route.path.startsWith('/api/v1/queues/{') || bodyOf(route.operation)?.required?.includes('queue_name');
    const cells = byKey
      .filter((route) => route.operation['x-unscoped'] || namesQueue(route))
      .map((route) => ({
        route,
        options: { headers: { authorization: `Bearer ${scopedKey}` }, body: sample(route) },
      }));
    expect(await differences(cells, is(403, 'ACCESS_DENIED'))).toEqual([]);
  });

  it('SP-68 returns 401 for an API key on routes that require an access token', async () => {
    const cells = byKey.filter(({ path }) => sessionOnly.has(path)).map((route) => ({ route }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });
});

describe('bodies of every route', () => {
  it('SP-14 returns 400 for invalid JSON', async () => {
    const bodies = ['{"', 'not json', '{"a":1,}', "{'a':1}"];
    const cells = withBody
      .filter(({ path }) => !sessionOnly.has(path))
      .map((route, place) => ({ route, options: { body: inTurn(bodies, place) } }));
    expect(await differences(cells, is(400, 'INVALID_JSON'))).toEqual([]);
  });

  it('SP-04 returns 401 before it validates the body', async () => {
    const cells = withBody
      .filter(({ operation }) => operation.security.length > 0)
      .map((route) => ({ route, options: { headers: {}, body: '{"' } }));
    expect(await differences(cells, is(401, 'UNAUTHORIZED'))).toEqual([]);
  });

  it('SP-14 returns 415 for a content type other than JSON', async () => {
    const cells = withBody.map((route) => {
      const headers = { ...credentialFor(route), 'content-type': 'text/plain' };
      return { route, options: { headers, body: '{}' } };
    });
    expect(await differences(cells, is(415, 'UNSUPPORTED_MEDIA_TYPE'), { limited: false })).toEqual([]);
  });

  const needsBody = withBody.filter(({ path, operation }) => operation.requestBody!.required && !sessionOnly.has(path));

  it('SP-14 returns 400 if a required body is missing', async () => {
    const cells = needsBody.map((route) => ({ route }));
    expect(await differences(cells, is(400, 'INVALID_JSON'))).toEqual([]);
  });

  it('SP-14 accepts no body with the JSON content type, {} and {"reason":null} on routes without a required body', async () => {
    const cells = routes
      .filter((route) => !needsBody.includes(route) && route.method !== 'GET')
      // Deleting the organization would break the other tests.
      .filter(({ method, path }) => `${method} ${path}` !== 'DELETE /api/v1/organizations/{id}')
      .flatMap((route, place) =>
        [undefined, inTurn([{}, { reason: null }], place)].map((body) => ({ route, options: { body } })),
      );
    const isAccepted: Check = ({ status, code }) => code !== 'INVALID_JSON' && ![415, 422].includes(status);
    expect(await differences(cells, isAccepted)).toEqual([]);
  });

  const names = (field: string, { message, details }: Result) =>
    message.includes(field) && details[field] !== undefined;
  const validated = withBody.filter(({ path }) => !sessionOnly.has(path));

  /** Sends each variant; each response must be 422 and name the field. */
  async function checkVariants(make: (schema: Schema) => Variant[]): Promise<string[]> {
    const found: string[] = [];
    const known = new Set<string>();
    for (const route of validated) {
      // Every route checks its body, and by the same declaration where a member is that of another route.
      const variants = make(bodyOf(route.operation)!).filter(({ kind }, place) => place === 0 || !known.has(kind));
      for (const { field, kind, body } of variants) {
        known.add(kind);
        const isExpected: Check = (response) => is(422, 'VALIDATION_ERROR')(response) && names(field, response);
        const label = `${field}=${JSON.stringify(body).slice(0, 150)}`;
        found.push(...(await differences([{ route, options: { body }, label }], isExpected)));
      }
    }
    return found;
  }

  it('SP-14 returns 422 and names the field if a required one is missing', async () => {
    expect(await checkVariants(withoutOne)).toEqual([]);
  });

  it('SP-14 returns 422 and names the field if one has another type', async () => {
    expect(await checkVariants(withWrongType)).toEqual([]);
  });

  it('SP-14 returns 400 and names all fields that are out of bounds', async () => {
    const found: string[] = [];
    for (const route of validated) {
      for (const { fields, body } of outOfBounds(bodyOf(route.operation)!)) {
        const response = await request(route, { body });
        const silent = fields.filter((field) => response.details[field] === undefined);
        // One that counted as malformed would make the status 422.
        if (is(400, 'VALIDATION_ERROR')(response) && silent.length === 0) continue;
        found.push(`${nameOf(route)}: ${response.status} ${response.message}, and nothing about ${silent.join()}`);
      }
    }
    expect(found).toEqual([]);
  });

  /** Acts on many jobs that ignore unknown fields only beside a filter, which their samples do not have. */
  const needFilter = ['/api/v1/jobs/dlq/retry', '/api/v1/jobs/dlq/purge', '/api/v1/workflows/{id}/retry'];

  it('SP-14 ignores unknown fields on the routes of published SDKs, and refuses them on all others', async () => {
    const found: string[] = [];
    for (const route of withBody.filter((each) => !takesAnyDocument.test(nameOf(each)))) {
      const valid = sample(route) as object;
      const isRefusing = !publishedBodies.has(nameOf(route)) || needFilter.includes(route.path);
      const without = isRefusing ? null : await request(route, { body: sample(route) });
      const isSame: Check = ({ status, code }) => status === without?.status && code === without.code;
      const isRefused: Check = (response) =>
        is(400, 'VALIDATION_ERROR')(response) && names('queueName', response) && 'noSuchField' in response.details;
      const body = { ...valid, queueName: 'x', noSuchField: { deep: [1] } };
      found.push(...(await differences([{ route, options: { body } }], isRefusing ? isRefused : isSame)));
    }
    expect(found).toEqual([]);
  });

  it('SP-14 describes every object of a body as closed, except the bodies and jobs of published routes', () => {
    const isPublished = (route: DescribedRoute, at: string) =>
      publishedBodies.has(nameOf(route)) && ['', 'jobs[]'].includes(at);
    const open = withBody
      .filter((route) => !takesAnyDocument.test(nameOf(route)))
      .flatMap((route) =>
        openObjects(bodyOf(route.operation)!)
          .filter((at) => !isPublished(route, at))
          .map((at) => `${nameOf(route)} ${at}`),
      );
    expect(open).toEqual([]);
  });
});

describe('paths of every route', () => {
  const withIds = routes.filter(
    ({ method, path }) => path.includes('{') && !fineWithUnknownIds.test(`${method} ${path}`),
  );
  const cellsWith = (ids: () => string) =>
    withIds.map((route) => ({ route, options: { path: target(route, ids()), body: sample(route) } }));

  it('SP-18 returns 404 for an unknown id', async () => {
    expect(await differences(cellsWith(randomUUID), is(404, 'NOT_FOUND'))).toEqual([]);
  });

  it('SP-18 returns 404 for an id that is not a UUID', async () => {
    let place = 0;
    const cells = cellsWith(() => inTurn(['not-a-uuid', '0', '%00', 'x'.repeat(300)], place++));
    expect(await differences(cells, is(404, 'NOT_FOUND'))).toEqual([]);
  });

  it('SP-18 returns 405 with Allow for a method that a path does not have', async () => {
    const cells = routes.flatMap((route) => {
      const path = target(route);
      const method = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'].find((each) => !describedRoute(each, path));
      return method ? [{ route, options: { method, path } }] : [];
    });
    const isRefused: Check = (response) =>
      is(405, 'METHOD_NOT_ALLOWED')(response) && (response.headers.get('allow') ?? '').length > 2;
    expect(await differences(cells, isRefused, { limited: false })).toEqual([]);
  });
});

describe('queries of every route', () => {
  /** For scrapers and the senders of signals, who may have to add parameters; and for sessions of the console, which these calls lack. */
  const isApart = (route: DescribedRoute) =>
    wants(route, 'signal') || /^GET \/api\/v1\/metrics|^(GET|DELETE) .*\/console\/session$/.test(nameOf(route));

  it('SP-14 refuse an unknown parameter and name it: it may be a filter or an option that the caller relies on', async () => {
    const cells = routes
      .filter((route) => !isApart(route))
      .map((route) => ({ route, options: { path: `${target(route)}?dry_runn=true`, body: sample(route) } }));
    const isRefused: Check = (response) => response.code === 'VALIDATION_ERROR' && 'dry_runn' in response.details;
    expect(await differences(cells, isRefused)).toEqual([]);
  });

  /** Numbers, flags and choices never reach PostgreSQL as text. */
  const mayHoldText = (schema: Schema): boolean => {
    const { type, enum: choices } = resolved(schema);
    return choices === undefined && !['integer', 'number', 'boolean'].includes(type ?? '');
  };

  it('SP-14 are compared with U+0000 or refuse it, although PostgreSQL cannot hold it', async () => {
    const cells = routes.flatMap((route) =>
      (route.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query' && !wants(route, 'signal') && mayHoldText(parameter.schema))
        .map(({ name }) => ({
          route,
          label: name,
          options: { path: `${target(route)}?${name}=a%00b`, body: sample(route) },
        })),
    );
    expect(await differences(cells, ({ status }) => status < 500)).toEqual([]);
  });
});

describe('the response check', () => {
  it('detects responses that differ from the OpenAPI document: missing members, wrong types, undescribed statuses and bodies', () => {
    const job = `/api/v1/jobs/${randomUUID()}`;
    expect(() => expectDescribedResponse('GET', '/api/v1/jobs/stats', 200, { pending: 1 })).toThrow('scheduled');
    expect(() => expectDescribedResponse('GET', '/api/v1/queues?limit=1', 200, {})).toThrow('must be array');
    expect(() => expectDescribedResponse('POST', '/api/v1/jobs', 202, {})).toThrow('does not describe');
    expect(() => expectDescribedResponse('DELETE', job, 204, { deleted: true })).toThrow('with a body');
    expect(() => expectDescribedResponse('DELETE', job, 409, { error: 'x' })).toThrow("'code'");
    expectDescribedResponse('DELETE', job, 409, { code: 'CONFLICT', message: 'x' });
  });
});
