import { readFileSync } from 'node:fs';
import { createTenant, eventually } from '@spooled/testing';
import { newSlug, numbers } from './admin-shapes.js';
import { RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let admin: RestCaller;

beforeAll(() => void (admin = new RestCaller(stack.baseUrl, null, { 'x-admin-key': stack.adminKey })));

const as = (credential: string) => new RestCaller(stack.baseUrl, credential);
const number = expect.any(Number) as unknown as number;
const text = expect.any(String) as unknown as string;
const post = (caller: RestCaller) => caller.post('/jobs', { queue_name: 'mail', payload: {} });

/** @returns the id of a new organization */
async function create(plan: string): Promise<string> {
  const { status, body } = await admin.post('/admin/organizations', { name: 'Made', slug: newSlug(), plan_tier: plan });
  expect(status).toBe(201);
  return body.id as string;
}

describe('the system', () => {
  it('reports liveness and readiness', async () => {
    expect(await (await fetch(`${stack.baseUrl}/health/live`)).json()).toEqual({ status: 'alive' });
    const healthy = {
      status: 'healthy',
      database: true,
      cache: stack.hasRedis,
      uptime_seconds: expect.any(Number),
    };
    // Repeated because a check that takes 2 s fails.
    await eventually(async () => {
      const ready = await fetch(`${stack.baseUrl}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining(healthy)]);
    });
  });

  it('SP-02 serves the OpenAPI document that its build was made from', async () => {
    const get = async (name: string) => (await fetch(`${stack.baseUrl}/api/v1/${name}`)).text();
    expect(JSON.parse(await get('openapi.json'))).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
    expect(JSON.parse(await get('openapi-3.0.json'))).toMatchObject({ openapi: '3.0.3' });
    expect(await get('openapi.yaml')).toMatch(/^openapi: 3\.1\.0\npaths:\n/);
  });

  it('creates slugs from names', async () => {
    const { key } = await createTenant(stack.databaseUrls.superuserUrl);
    const created = await as(key).post('/organizations/generate-slug', { name: 'Äpfel & Söhne GmbH' });
    expect(created).toEqual(
      expect.objectContaining({ status: 200, body: { slug: expect.stringMatching(/^[a-z][a-z0-9-]+$/) } }),
    );
  });

  it('GET /admin/stats counts over all organizations, grouped and flat', async () => {
    // Jobs of other tests change their state as well: a comparison that they disturbed is made again with new jobs.
    await eventually(
      async () => {
        const { key } = await createTenant(stack.databaseUrls.superuserUrl);
        const before = (await admin.get('/admin/stats')).body;
        await as(key).post('/jobs/bulk', {
          queue_name: 'mail',
          jobs: [{ payload: 1 }, { payload: 2 }, { payload: 3 }],
        });
        const { id } = (await as(key).post('/jobs/claim', { queue_name: 'mail', worker_id: 'w' })).body.jobs[0];
        await as(key).post(`/jobs/${id}/complete`, { worker_id: 'w' });
        await as(key).post('/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
        await as(key).post('/workers/register', { queue_name: 'mail', hostname: 'host' });
        await create('starter');
        const { status, body } = await admin.get('/admin/stats');
        const { pending, processing, total_active, completed_24h } = before.jobs;
        const { starter = 0 } = before.organizations_by_plan;
        expect([status, body]).toEqual([
          200,
          {
            organizations: {
              total: before.organizations.total + 1,
              by_plan: expect.arrayContaining([{ plan: 'starter', count: starter + 1 }]) as unknown,
              created_today: number,
              created_this_week: number,
            },
            jobs: {
              total_active: total_active + 2,
              pending: pending + 1,
              processing: processing + 1,
              completed_24h: completed_24h + 1,
              failed_24h: before.jobs.failed_24h,
            },
            workers: { total: before.workers.total + 1, healthy: before.workers.healthy + 1, degraded: number },
            system: { api_version: 'v1', uptime_seconds: number },
            total_organizations: before.total_organizations + 1,
            active_organizations: before.active_organizations + 1,
            total_jobs: before.total_jobs + 3,
            total_queues: before.total_queues + 1,
            total_workers: before.total_workers + 1,
            total_api_keys: before.total_api_keys + 1,
            jobs_today: before.jobs_today + 3,
            jobs_by_status: {
              ...before.jobs_by_status,
              pending: before.jobs_by_status.pending + 1,
              processing: before.jobs_by_status.processing + 1,
              completed: before.jobs_by_status.completed + 1,
            },
            organizations_by_plan: { ...before.organizations_by_plan, starter: starter + 1 },
          },
        ]);
      },
      { timeoutMs: 20_000 },
    );
  });

  it('SP-85 GET /admin/plans lists the four plans with their limits', async () => {
    const { status, body } = await admin.get('/admin/plans');
    expect([status, body.map(({ tier }: { tier: string }) => tier)]).toEqual([
      200,
      ['free', 'starter', 'pro', 'enterprise'],
    ]);
    for (const { limits, description, ...flat } of body) {
      expect(flat).toEqual(limits);
      expect(description).toEqual(text);
    }
    expect(body[0].limits).toEqual(
      (await admin.get(`/admin/organizations/${await create('free')}`)).body.usage_info.limits,
    );
    expect(body[3]).toMatchObject({ max_jobs_per_day: null, max_payload_size_bytes: 1_048_576 });
  });
});

describe('unsupported routes', () => {
  it.each([
    ['POST', '/auth/email/verify'],
    ['POST', '/auth/signup/complete'],
    ['POST', '/billing/webhook'],
  ])('%s %s is 404 in JSON', async (method, path) => {
    const { key } = await createTenant(stack.databaseUrls.superuserUrl);
    const result = await as(key).send(method, path, method === 'POST' ? {} : undefined);
    expect(result).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: expect.any(String) } });
  });
});

describe('metrics', () => {
  it('SP-105 are also available under /api/v1, as text and as a summary, without a credential', async () => {
    await post(as(stack.apiKey));
    const anonymous = new RestCaller(stack.baseUrl, null);
    const { status, body } = await anonymous.get('/metrics');
    expect([status, body]).toEqual([
      200,
      {
        jobs: numbers('total_created', 'total_completed', 'total_failed', 'avg_wait_time_ms', 'avg_processing_ms'),
        workers: numbers('total_registered', 'total_active', 'total_idle'),
        queues: numbers('total_queues', 'total_paused', 'total_pending', 'total_processing'),
        system: numbers('uptime_seconds', 'requests_per_sec', 'error_rate', 'avg_latency_ms'),
      },
    ]);
    expect(body.jobs.total_created).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${stack.apiKey}` };
    for (const path of ['/metrics', '/api/v1/metrics/prometheus']) {
      const response = await fetch(`${stack.baseUrl}${path}`, { headers });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, text]);
      expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(await response.text()).toContain('spooled_api_requests_total{');
    }
  });

  it('SP-34 of the gateway contain the figures that the scheduler counts over all organizations', async () => {
    await post(as(stack.apiKey));
    const shown = async () => {
      const scraped = await (await fetch(`${stack.baseUrls[1]}/metrics`)).text();
      for (const name of [
        'jobs_pending',
        'jobs_processing',
        'job_max_age_seconds',
        'workers_active',
        'workers_healthy',
      ]) {
        expect(scraped).toMatch(new RegExp(`^spooled_${name} [0-9.e-]+$`, 'm'));
      }
    };
    // The scheduler counts every 15 seconds.
    await eventually(shown, { timeoutMs: 45_000, everyMs: 1_000 });
  });
});
