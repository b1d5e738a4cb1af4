import { useFolder } from '@spooled/testing';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { serveConsole } from './serve-console.js';

const page = '<!doctype html><title>Spooled</title>';
const script = 'export const built = true;';

const folder = useFolder();
let fastify: FastifyInstance | undefined;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets/index-1a2b.js'), script);
  writeFileSync(join(folder, 'assets/index-1a2b.js.gz'), gzipSync(script));
});
afterEach(() => fastify?.close());

function start(): void {
  fastify = Fastify();
  fastify.decorateRequest('skipAccessLog', false);
  expect(serveConsole(fastify, { folder })).toBe(true);
}
const get = (url: string, headers: Record<string, string> = {}) => fastify!.inject({ url, headers });

it('BX-16 serves the page for every path that is no file, with a strict policy and never from a cache alone', async () => {
  start();
  for (const path of ['/console', '/console/', '/console/queues/emails?x=1', '/console/login']) {
    const { statusCode, body, headers } = await get(path);
    expect([statusCode, body]).toEqual([200, page]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' });
    expect(headers['content-type']).toMatch(/^text\/html/);
  }
});

it('serves files whose names change with their content for a year, compressed as they were built', async () => {
  start();
  const { statusCode, headers, rawPayload } = await get('/console/assets/index-1a2b.js', { 'accept-encoding': 'gzip' });
  expect([statusCode, String(gunzipSync(rawPayload))]).toEqual([200, script]);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get('/console/assets/index-1a2b.js')).body).toBe(script);
});

it('responds with 404 for files of another release, so that no browser takes the page for a script', async () => {
  start();
  const { statusCode, headers } = await get('/console/assets/index-9z9z.js');
  expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
});

it('serves the page of this release to a browser that has the one of another, made at the same time', async () => {
  const time = new Date('2026-01-01T00:00:00Z');
  const write = (text: string) => {
    writeFileSync(join(folder, 'index.html'), text);
    utimesSync(join(folder, 'index.html'), time, time);
  };
  write(page.replace('Spooled', 'spooled'));
  start();
  const { etag, 'last-modified': modified } = (await get('/console/')).headers;
  await fastify!.close();
  write(page);
  start();
  const known = { 'if-none-match': String(etag), 'if-modified-since': String(modified ?? time.toUTCString()) };
  const { statusCode, body } = await get('/console/', known);
  expect([statusCode, body]).toEqual([200, page]);
});

it('serves nothing outside of its folder', async () => {
  start();
  for (const path of [
    '/console/../package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/assets/..%2findex.html',
  ]) {
    const { statusCode, body } = await get(path);
    expect(statusCode === 200 ? body : page).toBe(page);
  }
});

it('serves nothing when the build is missing, and says so', async () => {
  fastify = Fastify();
  expect(serveConsole(fastify, { folder: join(folder, 'none') })).toBe(false);
  expect((await get('/console')).statusCode).toBe(404);
});
