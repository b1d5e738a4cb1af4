import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { unboundedParts } from '@spooled/testing';
import { format } from 'oxfmt';
import { parse } from 'yaml';
import { useGateway } from '../gateway.fixture.js';
import { describeApi } from './generator/describe-api.js';

interface Operation {
  parameters?: { name: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
}

const file = 'docs/openapi.json';

const { gateway } = useGateway();

/** The document as the formatter writes it to the file. */
const written = async (description: unknown) =>
  (await format(file, JSON.stringify(description), { printWidth: 120 })).code;

describe('the OpenAPI document', () => {
  it('in docs/openapi.json is that of the routes of the gateway', async () => {
    const text = await written(describeApi(gateway.app));
    // `npm run generate:openapi` updates the file.
    if (process.env.UPDATE_OPENAPI) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('SP-02 is served as OpenAPI 3 without a credential, as it is in docs/openapi.json', async () => {
    const { status, body } = await gateway.request('GET', '/openapi.json', null);
    expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\./)]);
    expect(body).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('SP-02 is not sent again to a caller that has it', async () => {
    const etags = new Set<unknown>();
    for (const name of ['openapi.json', 'openapi.yaml', 'openapi-3.0.json']) {
      const ask = (known?: string) =>
        gateway.app.inject({ url: `/api/v1/${name}`, headers: known ? { 'if-none-match': known } : {} });
      const { headers } = await ask();
      expect(headers).toMatchObject({ etag: expect.stringMatching(/^W\/"/), 'cache-control': 'no-cache' });
      const own = String(headers.etag);
      for (const known of [own, `"another", ${own}`, '*']) {
        const { statusCode, body, headers: again } = await ask(known);
        expect([statusCode, body, again.etag]).toEqual([304, '', own]);
      }
      expect((await ask('W/"another"')).statusCode).toBe(200);
      etags.add(own);
    }
    expect(etags.size).toBe(3);
  });

  it.each([
    ['/openapi.json', '3.1.0'],
    ['/openapi-3.0.json', '3.0.3'],
  ])('SP-02 %s is valid according to the schema of OpenAPI %s', async (path, version) => {
    const { body } = await gateway.request('GET', path, null);
    expect(body.openapi).toBe(version);
    expect(await new Validator().validate(body)).toEqual({ valid: true });
  });

  it('SP-02 is served as YAML as well', async () => {
    const { statusCode, headers, body } = await gateway.app.inject({ url: '/api/v1/openapi.yaml' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/yaml; charset=utf-8']);
    expect(body).toMatch(/^openapi: 3/);
    expect(parse(body)).toEqual((await gateway.request('GET', '/openapi.json', null)).body);
  });

  it('SP-02 has an OpenAPI 3.0 version with nullable instead of null', async () => {
    const { body } = await gateway.request('GET', '/openapi-3.0.json', null);
    const { properties } = body.paths['/api/v1/jobs/{id}'].get.responses[200].content['application/json'].schema;
    expect(properties.last_error).toEqual({ type: 'string', nullable: true });
    expect(properties.dependency_mode).toEqual({ type: 'string', enum: ['all', 'any', null], nullable: true });
    expect(JSON.stringify(body).includes('"null"')).toBe(false);
  });

  it('SP-02 SP-04 declares the credential of each route and the errors without it', async () => {
    const { body } = await gateway.request('GET', '/openapi.json', null);
    const about = (method: string, path: string) => {
      const { security, responses } = body.paths[path][method];
      return { security, statuses: Object.keys(responses) };
    };
    expect(about('get', '/health')).toEqual({ security: [], statuses: ['200', '503', 'default'] });
    expect(about('post', '/api/v1/organizations').security).toEqual([]);
    expect(about('put', '/api/v1/jobs/{id}/priority')).toEqual({
      security: [{ bearer: [] }],
      statuses: ['200', '400', '401', '403', '404', '422', '429', '503', 'default'],
    });
    expect(body.paths['/api/v1/api-keys'].post['x-unscoped']).toBe(true);
    expect(body.paths['/api/v1/organizations/{id}/webhook-token'].get['x-unscoped']).toBe(true);
    expect(body.paths['/api/v1/jobs'].post.requestBody.required).toBe(true);
    expect(body.paths['/api/v1/queues/{name}/pause'].post.requestBody.required).toBe(false);
  });

  it('SP-02 gives each operation its own id and declares each parameter of its path', async () => {
    const { body } = await gateway.request('GET', '/openapi.json', null);
    const operations = Object.entries(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, item]) => Object.values(item).map((operation) => ({ path, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, parameters } of operations as unknown as { path: string; parameters: { name: string }[] }[]) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    }
  });

  it.each([
    ...['jobs', 'queues', 'workers', 'outgoing-webhooks', 'webhooks', 'workflows', 'schedules'],
    ...['events', 'auth', 'organizations', 'api-keys'],
  ])('SP-15 has routes of its own for %s', async (resource) => {
    const { body } = await gateway.request('GET', '/openapi.json', null);
    const own = Object.keys(body.paths).filter((path) => new RegExp(`^/api/v1/${resource}(/|$)`).test(path));
    expect(own).not.toEqual([]);
    expect(body.paths).toMatchObject({
      '/health': { get: {} },
      '/health/live': { get: {} },
      '/health/ready': { get: {} },
    });
  });

  it('bounds every part of every request: strings, lists, members and documents', async () => {
    const { body } = await gateway.request('GET', '/openapi.json', null);
    const resolve = (ref: string): object => body.components.schemas[ref.split('/').at(-1)!];
    const parts = (schema: object, path: string) => unboundedParts(schema, path, resolve);
    const found = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [], requestBody }]) => {
        const schema = requestBody?.content['application/json']!.schema;
        const unbounded = [
          ...parameters.flatMap(({ name, schema }) => parts(schema, name)),
          ...(schema ? parts(schema, 'body') : []),
        ];
        return unbounded.map((part) => `${method} ${path} ${part}`);
      }),
    );
    expect(found).toEqual([]);
  });
});
