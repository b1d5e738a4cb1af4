import { secret } from '../settings/kinds.js';
import { readSettings, setting } from '../settings/settings.js';
import { addLogContext, withLogContext } from './log-context.js';
import { createLogger } from './logger.js';
import { NestLogger } from './nest-logger.js';

function capture(level = 'debug') {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level, destination: { write: (line) => lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> };
}

describe('createLogger', () => {
  it('writes JSON lines with service, level and message', () => {
    const { logger, last } = capture();
    logger.child({ shard: 3 }).info({ count: 2 }, 'hello');
    expect(last()).toMatchObject({ service: 'test', level: 'info', msg: 'hello', count: 2, shard: 3 });
    expect(new Date(String(last().time)).getTime()).toBeGreaterThan(0);
  });

  it('writes readable text when JSON is off', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    createLogger({ service: 'test', json: false, destination }).warn({ queue: 'mail' }, 'slow');
    expect(lines.join('')).toMatch(/WARN.*slow[^]*queue.*mail/);
  });

  it('keeps type, stack and causes of an error', () => {
    const { logger, last } = capture();
    logger.error({ err: new TypeError('outer', { cause: new Error('inner') }) }, 'failed');
    expect(last().err).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('inner') });
  });

  it('SP-105 carries organization, job and request id across awaits, and only inside the context', async () => {
    const { logger, last } = capture();
    await withLogContext({ requestId: 'r1' }, async () => {
      await Promise.resolve();
      addLogContext({ organizationId: 'o1' });
      withLogContext({ jobId: 'j1' }, () => logger.info('inner'));
      expect(last()).toMatchObject({ request_id: 'r1', organization_id: 'o1', job_id: 'j1' });
      logger.info('outer');
      expect(last()).not.toHaveProperty('job_id');
    });
    logger.info('outside');
    expect(last()).not.toHaveProperty('request_id');
  });
});

describe('redaction', () => {
  it.each([
    ['a header', { headers: { authorization: 'Bearer hunter2' } }],
    ['a header list', { headers: { 'x-api-key': ['hunter2', 'hunter2'] } }],
    ['a member at any depth', { a: { b: { c: { d: { webhook_secret: 'x"hunter2' } } } } }],
    ['a member with several words', { completion_webhook_secret: 'hunter2', 'x-auth': 'hunter2' }],
    ['headers', { callback_headers: { 'x-tenant': 'hunter2', 'x-]}": "hunter2': ['hunter2', '\\"}hunter2'] } }],
    ['a list of objects', { credentials: [{ name: 'a' }, [{ deep: { value: 'hunter2' } }], 'hunter2'], next: 1 }],
    ['two members', { a: [{ cookie: 'hunter2' }], b: { cookie: ['hunter2'] } }],
    ['a query parameter by the same names', { path: '/hooks?x=1&x-auth=hunter2&y=2' }],
    ['a query credential in a URL', { path: '/api/v1/ws?a=1&token=hunter2&b=2' }],
    ['a query credential in an error', { err: new Error('GET /events?api_key=hunter2 failed') }],
    ['a password in a connection URL', { err: new Error('cannot reach postgresql://app:hunter2@db:5432/x') }],
    ['a bearer token in a text', { note: 'sent Bearer hunter2' }],
  ])('hides %s and leaves the line valid JSON', (_, fields) => {
    const { logger, lines, last } = capture();
    logger.info(fields, 'request');
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('')).toContain('[redacted]');
    expect(last()).toMatchObject({ msg: 'request' });
  });

  it('keeps what follows a secret member', () => {
    const { logger, last } = capture();
    logger.info({ headers: { a: ['x', { b: '}' }] }, next: { token: 'x', kept: 1 }, path: '/a?sig=x&b=2' }, 'request');
    const next = { token: '[redacted]', kept: 1 };
    expect(last()).toMatchObject({ headers: '[redacted]', next, path: '/a?sig=[redacted]&b=2', msg: 'request' });
  });

  const key = `sk_live_${'hunter2'.repeat(6)}x`;
  it.each([
    ['a key in a path', `/api/v1/jobs/${key}`],
    ['a key under a name that is encoded', `/api/v1/ws?%74oken=${key}`],
    ['a key of the published server', `sp_test_${'hunter2'.repeat(6)}x`],
    ['a webhook token', 'wrong token whk_hunter2hunter2hunter2hunter2'],
    ['an access token', '/x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2hunter2'],
    ['an access token within a word', '/x?a%3Ax-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2hunter2'],
    ['an access token after what begins like one', 'eyJ.eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2hunter2'],
    ['a secret of the process', 'key=hunter2-of-the-administrator'],
    ['a secret of the process, encoded', '/x?key=hunter2%20of%20%22JWT%22'],
    ['a secret of the process, escaped', 'hunter2 of "JWT"'],
  ])('hides %s by its value', (_, path) => {
    const env = { ADMIN: 'hunter2-of-the-administrator', JWT: 'hunter2 of "JWT"' };
    readSettings({ ADMIN: setting(secret(), ''), JWT: setting(secret().optional(), '') }, env);
    const { logger, lines, last } = capture();
    logger.info({ path, err: new Error(`failed: ${path}`) }, `about ${path}`);
    expect(lines.join('')).not.toContain('hunter2');
    expect(last()).toMatchObject({ msg: expect.stringContaining('[redacted]') });
  });

  it('passes long texts that are made to look like many tokens', () => {
    const { logger, last } = capture();
    const path = `/${'eyJ'.repeat(100_000)}`;
    logger.info({ path }, 'request');
    expect(last()).toMatchObject({ path });
  });

  it('does not change other values', () => {
    const { logger, last } = capture();
    const fields = {
      token_count: 3,
      author: 'Ann',
      path: '/jobs?limit=5&author=Ann',
      key_prefix: 'sk_live_abcd',
      url: 'http://host:8080/a@b',
    };
    logger.info(fields, 'fine');
    expect(last()).toMatchObject(fields);
  });
});

describe('NestLogger', () => {
  it('logs Nest’s context and stack, and its start messages at debug', () => {
    const { logger, last } = capture();
    const nest = new NestLogger(logger);
    nest.log('Mapped {/jobs, POST} route', 'RouterExplorer');
    expect(last()).toMatchObject({ level: 'debug', context: 'RouterExplorer', msg: 'Mapped {/jobs, POST} route' });
    nest.error('it broke', 'Error: it broke\n    at here.ts:1:1', 'ExceptionsHandler');
    expect(last()).toMatchObject({
      level: 'error',
      context: 'ExceptionsHandler',
      stack: expect.stringContaining('at'),
    });
    nest.error(new Error('thrown'));
    expect(last()).toMatchObject({ msg: 'thrown', err: { type: 'Error' } });
  });
});
