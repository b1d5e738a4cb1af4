import { HealthChecks } from '../health/health-checks.js';
import { createLogger } from '../log/logger.js';
import { createMetrics } from '../metrics/metrics.js';
import { OperationsServer, type OperationsOptions } from './operations-server.js';

const silent = createLogger({ service: 'test', level: 'silent' });

describe('OperationsServer', () => {
  const servers: OperationsServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  async function start(
    more: Partial<OperationsOptions> = {},
  ): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
    const server = new OperationsServer({
      host: '127.0.0.1',
      port: 0,
      metrics: createMetrics({ hello: { type: 'counter', name: 'hello_total', help: 'Hello.' } }),
      health: new HealthChecks(),
      logger: silent,
      ...more,
    });
    servers.push(server);
    const port = await server.start();
    return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  }

  it('serves metrics without authentication if no token is set, otherwise only with the token', async () => {
    const open = await start();
    const scrape = await open('/metrics');
    expect(scrape.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await scrape.text()).toContain('hello_total 0');
    const guarded = await start({ metricsToken: 'right' });
    expect((await guarded('/metrics')).status).toBe(401);
    expect((await guarded('/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await guarded('/metrics', { headers: { authorization: 'Bearer right' } })).status).toBe(200);
    expect((await guarded('/health')).status).toBe(200);
  });

  it('serves 60 scrapes a minute, then responds with 429 and Retry-After', async () => {
    const get = await start();
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => get('/metrics')));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = statuses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get('/health')).status).toBe(200);
  });

  it('serves health with the body of the service; during shutdown it is alive but not ready', async () => {
    const health = new HealthChecks();
    health.register('database', async () => {}, { critical: true });
    const get = await start({ health, healthBody: ({ status, checks }) => ({ status, database: checks.database }) });
    expect(await (await get('/health')).json()).toEqual({ status: 'healthy', database: true });
    expect((await get('/health/ready')).status).toBe(200);
    health.draining = true;
    expect((await get('/health/ready')).status).toBe(503);
    expect((await get('/health')).status).toBe(200);
    expect((await get('/health/live')).status).toBe(200);
  });

  it('does not count checks that the probe excludes', async () => {
    const health = new HealthChecks();
    health.register('database', () => Promise.reject(new Error('down')), { critical: true });
    const get = await start({ health });
    expect((await get('/health/ready')).status).toBe(503);
    expect((await get('/health/ready?exclude=cache')).status).toBe(503);
    expect((await get('/health/ready?exclude=cache&exclude=database')).status).toBe(200);
    health.draining = true;
    expect((await get('/health/ready?exclude=database')).status).toBe(503);
  });

  it('responds with 503 if unhealthy', async () => {
    const health = new HealthChecks();
    health.register('database', () => Promise.reject(new Error('down')), { critical: true });
    const get = await start({ health });
    expect((await get('/health')).status).toBe(503);
    expect((await get('/health/live')).status).toBe(200);
  });

  it('rejects other paths and methods, and fails to start if its port is in use', async () => {
    const get = await start();
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    const port = Number(new URL((await get('/')).url).port);
    await expect(start({ port })).rejects.toThrow('EADDRINUSE');
  });
});
