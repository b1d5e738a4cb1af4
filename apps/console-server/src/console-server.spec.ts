import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { securityHeaders, useFolder } from '@spooled/testing';
import { consoleServerSettings, type ConsoleServerService } from './console-server.config.js';
import { createConsoleServer } from './create-console-server.js';

const page = '<!doctype html><title>Spooled</title>';
const logger = createLogger({ service: 'console', level: 'silent' });

const folder = useFolder();
let app: NestFastifyApplication | undefined;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets/index-1a2b.js'), 'export {};');
});
afterEach(() => app?.close());

const service = (env: Record<string, string>): ConsoleServerService => ({
  name: 'console',
  version: 'spec',
  settings: readSettings(consoleServerSettings, { SHUTDOWN_DRAIN_SECS: '0', ...env }),
  logger,
  metrics: createMetrics({}),
  health: new HealthChecks(logger),
  stopping: new AbortController().signal,
  onStop: () => undefined,
  answerHealthWith: () => undefined,
});

async function start(env: Record<string, string> = {}): Promise<NestFastifyApplication> {
  app = await createConsoleServer(service(env), folder);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

describe("BX-16 the console's own server", () => {
  it('serves the page and its files, with the headers of every service and the policy of the page', async () => {
    const { inject } = (await start({ ENABLE_HSTS: 'true' })).getHttpAdapter().getInstance();
    const { 'content-security-policy': _, 'referrer-policy': __, ...common } = securityHeaders;
    for (const url of ['/console', '/console/queues/emails', '/console/login']) {
      const { statusCode, body, headers } = await inject({ url });
      expect([statusCode, body]).toEqual([200, page]);
      expect(headers).toMatchObject({ ...common, 'referrer-policy': 'no-referrer' });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    }
    const { statusCode, headers } = await inject({ url: '/console/assets/index-1a2b.js' });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject(securityHeaders);
  });

  it.each(['/', '/health', '/api/v1/queues', '/api/v1/console/session', '/metrics'])(
    'does not serve %s',
    async (url) => {
      const { statusCode, body, headers } = await (await start()).inject({ url });
      expect([statusCode, JSON.parse(body)]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
      expect(headers).toMatchObject(securityHeaders);
    },
  );

  it('does not start without a build of the console', async () => {
    await expect(createConsoleServer(service({}), join(folder, 'none'))).rejects.toThrow('not built');
  });
});
