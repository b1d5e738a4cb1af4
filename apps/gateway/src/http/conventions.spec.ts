import { eventually, securityHeaders, startRedis, useTenant } from '@spooled/testing';
import type { InjectOptions } from 'fastify';
import { startGateway, useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const bearer = () => ({ authorization: `Bearer ${tenant.key}` });
const json = { 'content-type': 'application/json' };

async function inject(options: InjectOptions) {
  const response = await gateway.app.inject(options);
  const body = response.body === '' ? null : (JSON.parse(response.body) as Record<string, unknown>);
  return { status: response.statusCode, headers: response.headers, body };
}
const postKey = (payload: string | Buffer, headers: Record<string, string> = json) =>
  inject({ method: 'POST', url: '/api/v1/api-keys', headers: { ...bearer(), ...headers }, payload });

describe('errors', () => {
  it.each([
    ['an unknown route', { url: '/api/v1/nothing' }, 404, 'NOT_FOUND'],
    ['a method that a route lacks', { url: '/api/v1/api-keys', method: 'PATCH' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a malformed URL', { url: '/api/v1/jobs/%zz' }, 400, 'BAD_REQUEST'],
    ['an id that is too long', { url: `/api/v1/jobs/${'x'.repeat(600)}` }, 404, 'NOT_FOUND'],
    ['no credential', { url: '/api/v1/jobs' }, 401, 'UNAUTHORIZED'],
    ['a credential in the query', { url: '/api/v1/jobs?api_key=sk_test_x' }, 401, 'UNAUTHORIZED'],
  ] as [string, InjectOptions, number, string][])(
    'SP-19 %s gets an error with code and message',
    async (_, request, status, code) => {
      const response = await inject(request);
      expect(response).toMatchObject({ status, body: { code, message: expect.any(String) } });
      expect(response.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-frame-options': 'DENY' });
    },
  );

  it('lists the methods of a path in Allow', async () => {
    const { headers } = await inject({ method: 'PATCH', url: '/api/v1/api-keys?x=1' });
    expect(headers.allow).toBe('GET, POST');
  });
});

describe('bodies', () => {
  it('SP-14 a missing field or wrong type is 422, a value out of bounds 400; both name the field', async () => {
    expect(await postKey('{}')).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', error: 'Validation failed', details: { name: 'is required' } },
    });
    expect(await postKey('{"name":7,"rate_limit":0}')).toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(/^name: /),
        details: { name: expect.any(String), rate_limit: expect.any(String) },
      },
    });
    expect(await postKey('{"name":"ok","queues":["a","b!"]}')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^queues\[1\]: /) },
    });
    expect((await postKey('[]')).status).toBe(422);
  });

  it('SP-14 NUL characters are refused, unknown fields ignored', async () => {
    const url = '/api/v1/organizations/generate-slug';
    const post = (payload: string) => inject({ method: 'POST', url, headers: json, payload });
    expect(await post('{"name":"a\\u0000b"}')).toMatchObject({
      status: 400,
      body: { details: { name: expect.any(String) } },
    });
    expect(await post('{"name":"Crème & Co","nonsense":true}')).toMatchObject({
      status: 200,
      body: { slug: 'creme-co' },
    });
  });

  it('a body that is not JSON is INVALID_JSON, and so is a missing required body', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const payload of ['{bad', '', deep, Buffer.from([0x22, 0xff, 0x22])]) {
      expect(await postKey(payload)).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
    }
  });

  it('SP-96 up to 5 MB are read, more is 413, another media type 415', async () => {
    const largest = 5 * 1024 * 1024;
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) });
    // Read and parsed: the name is too long.
    expect(await postKey(bodyOf(largest))).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(await postKey(bodyOf(largest + 1))).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', error: 'payload_too_large' },
    });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      expect(await postKey('name=x', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    }
  });

  it('action routes and DELETE accept the JSON content type with an empty body', async () => {
    const headers = { ...bearer(), ...json };
    const regenerate = { method: 'POST', url: '/api/v1/organizations/webhook-token/regenerate', headers } as const;
    expect((await inject(regenerate)).status).toBe(200);
    const remove = { method: 'DELETE', url: '/api/v1/api-keys/01890000-0000-7000-8000-000000000000', headers } as const;
    expect((await inject(remove)).status).toBe(404);
  });
});

describe('headers', () => {
  it('SP-16 an unsupported API version is 400; a malformed one counts as the default', async () => {
    const ask = (version: string) =>
      inject({ url: '/api/v1/organizations', headers: { ...bearer(), 'x-api-version': version } });
    expect((await ask('1')).headers['x-api-version']).toBe('1');
    expect(await ask('2')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect((await ask('no-version!')).status).toBe(200);
  });

  it('SP-69 every response has the security headers, and HSTS if enabled', async () => {
    const { headers } = await inject({ url: '/health' });
    expect(headers).toMatchObject(securityHeaders);
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('compresses long responses if the caller accepts it', async () => {
    const ask = (encoding: string) =>
      gateway.app.inject({ url: '/api/v1/openapi.json', headers: { 'accept-encoding': encoding } });
    expect((await ask('gzip')).headers['content-encoding']).toBe('gzip');
    expect((await ask('identity')).headers).not.toHaveProperty('content-encoding');
  });
});

describe('in production', () => {
  it('browsers may call from the listed origins only, and get HSTS', async () => {
    const env = { SPOOLED_ENV: 'production', CORS_ALLOWED_ORIGINS: 'https://app.example', ENABLE_HSTS: 'true' };
    const production = await startGateway(database, { env });
    try {
      const from = async (origin: string) =>
        (await production.app.inject({ url: '/health', headers: { origin } })).headers;
      expect(await from('https://app.example')).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'strict-transport-security': 'max-age=31536000; includeSubDomains; preload',
      });
      expect(await from('https://evil.example')).not.toHaveProperty('access-control-allow-origin');
    } finally {
      await production.stop();
    }
  });
});

describe('health', () => {
  it('PB-05 reports the state of both stores; without Redis the gateway stays ready', async () => {
    const redis = await startRedis();
    const both = await startGateway(database, { redisUrl: redis.url });
    try {
      const state = async () => (await both.app.inject({ url: '/health' })).json() as Record<string, unknown>;
      await eventually(async () => {
        const uptime_seconds = expect.any(Number) as unknown as number;
        expect(await state()).toEqual({
          status: 'healthy',
          database: true,
          cache: true,
          version: 'spec',
          uptime_seconds,
        });
      });
      await redis.kill();
      await eventually(async () => {
        expect(await state()).toMatchObject({ status: 'degraded', database: true, cache: false });
      });
      // Repeated because a check that takes 2 s fails.
      await eventually(async () => expect((await both.app.inject({ url: '/health/ready' })).statusCode).toBe(200));
    } finally {
      await both.stop();
      await redis.close();
    }
  });
});
