import { randomUUID } from 'node:crypto';
import { auditActions } from '@spooled/contracts';
import { useAuditedGateway } from './audit.fixture.js';
import { randomAddress } from '../gateway.fixture.js';

const { tenant, send, create, newKey, newWebhook, newest } = useAuditedGateway();

const newSchedule = () =>
  create('/schedules', { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: { a: 1 } });
async function newWorker(): Promise<string> {
  await create('/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: 'drained' });
  return 'drained';
}
const own = () => Promise.resolve(tenant.organizationId);

async function die(): Promise<string> {
  const id = await create('/jobs', { queue_name: 'mail', payload: {}, max_retries: 0 });
  await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  await send('POST', `/jobs/${id}/fail`, { worker_id: 'w', error: 'broken' });
  return id;
}
/** The first of two steps; the second waits for it. */
async function parentJob(): Promise<string> {
  const jobs = [
    { key: 'a', queue_name: 'mail', payload: {}, max_retries: 0 },
    { key: 'b', queue_name: 'mail', payload: {}, depends_on: ['a'] },
  ];
  const { body } = await send('POST', '/workflows', { name: 'w', jobs });
  return body.job_ids[0].job_id as string;
}
async function runningJob(): Promise<string> {
  const id = await parentJob();
  await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  return id;
}
async function failedParent(): Promise<string> {
  const id = await parentJob();
  await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  await send('POST', `/jobs/${id}/fail`, { worker_id: 'w', error: 'broken' });
  return id;
}
async function newWorkflow(): Promise<string> {
  const jobs = ['a', 'b'].map((key) => ({ key, queue_name: 'mail', payload: {}, max_retries: 0 }));
  const { body } = await send('POST', '/workflows', { name: 'w', jobs });
  return body.workflow_id as string;
}
const newBatch = async (): Promise<string> => (await send('POST', '/batches', { name: 'b' })).body.id as string;
async function failedWorkflow(): Promise<string> {
  const id = await newWorkflow();
  const { body } = await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id: 'w', limit: 2 });
  for (const job of body.jobs as { id: string }[])
    await send('POST', `/jobs/${job.id}/fail`, { worker_id: 'w', error: 'broken' });
  return id;
}
const newThrottle = async () => create('/throttles', { queue_name: 'mail', per_second: 1, expires_in_seconds: 60 });
const newCause = async () => {
  await die();
  const { body } = await send('GET', '/jobs/dlq/causes');
  return (body.causes as { id: string }[])[0]!.id;
};
const mutedCause = async () => {
  const id = await newCause();
  await send('PUT', `/jobs/dlq/causes/${id}/mute`, { reason: 'known', expires_in_seconds: 60 });
  return id;
};
const newOperation = async () => create('/jobs/dlq/replays', { all: true });

interface Act {
  /** Creates what the route needs and returns the value of its path parameter. */
  prepare?: () => Promise<string | void>;
  body?: object;
  /** The action that the log must show for it. */
  action: string;
}

/** Every route whose request the log records. */
const acts: Record<string, Act> = {
  'POST /api-keys': { body: { name: 'k' }, action: 'api_key.created' },
  'PUT /api-keys/{id}': { prepare: newKey, body: { name: 'renamed' }, action: 'api_key.updated' },
  'DELETE /api-keys/{id}': { prepare: newKey, action: 'api_key.updated' },
  'POST /outgoing-webhooks': {
    body: { name: 'w', url: 'https://example.com/', events: ['job.failed'] },
    action: 'webhook.created',
  },
  'PUT /outgoing-webhooks/{id}': { prepare: newWebhook, body: { name: 'renamed' }, action: 'webhook.updated' },
  'POST /outgoing-webhooks/{id}/rotate-secret': { prepare: newWebhook, body: {}, action: 'webhook.updated' },
  'POST /outgoing-webhooks/{id}/resends': {
    prepare: newWebhook,
    body: { since: '2026-01-01T00:00:00Z' },
    action: 'operation.created',
  },
  'DELETE /outgoing-webhooks/{id}': { prepare: newWebhook, action: 'webhook.deleted' },
  'POST /schedules': {
    body: { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: {} },
    action: 'schedule.created',
  },
  'PUT /schedules/{id}': { prepare: newSchedule, body: { name: 'renamed' }, action: 'schedule.updated' },
  'DELETE /schedules/{id}': { prepare: newSchedule, action: 'schedule.deleted' },
  'POST /schedules/{id}/pause': { prepare: newSchedule, body: {}, action: 'schedule.updated' },
  'POST /schedules/{id}/resume': {
    prepare: async () => {
      const id = await newSchedule();
      await send('POST', `/schedules/${id}/pause`, {});
      return id;
    },
    body: {},
    action: 'schedule.updated',
  },
  'PUT /queues/{name}/config': { prepare: async () => 'mail', body: { max_retries: 7 }, action: 'queue.created' },
  'PUT /queues/{name}': { prepare: async () => 'mail', body: { max_retries: 7 }, action: 'queue.created' },
  'POST /workers/{id}/drain': { prepare: newWorker, body: {}, action: 'worker.drained' },
  'POST /workers/{id}/resume': {
    prepare: async () => {
      const id = await newWorker();
      await send('POST', `/workers/${id}/drain`, {});
      return id;
    },
    body: {},
    action: 'worker.resumed',
  },
  'POST /worker-versions/drain': { prepare: newWorker, body: { version: null }, action: 'worker.drained' },
  'POST /worker-versions/resume': {
    prepare: async () => {
      await send('POST', `/workers/${await newWorker()}/drain`, {});
    },
    body: { version: null },
    action: 'worker.resumed',
  },
  'POST /queues/{name}/pause': {
    prepare: async () => (await send('PUT', '/queues/mail/config', {}), 'mail'),
    body: {},
    action: 'queue.updated',
  },
  'POST /queues/{name}/resume': {
    prepare: async () => (await send('PUT', '/queues/mail/config', { enabled: false }), 'mail'),
    body: {},
    action: 'queue.updated',
  },
  'DELETE /queues/{name}': {
    prepare: async () => (await send('PUT', '/queues/mail/config', {}), 'mail'),
    action: 'queue.deleted',
  },
  'PUT /queues/{name}/payload-contract': {
    prepare: async () => 'mail',
    body: { schema: { type: 'object' } },
    action: 'payload_contract.created',
  },
  'DELETE /queues/{name}/payload-contract': {
    prepare: async () => (await send('PUT', '/queues/mail/payload-contract', { schema: {} }), 'mail'),
    action: 'payload_contract.deleted',
  },
  'POST /jobs/dlq/retry': { prepare: async () => void (await die()), body: {}, action: 'deadletter.retried' },
  'POST /jobs/dlq/purge': {
    prepare: async () => void (await die()),
    body: { confirm: true },
    action: 'deadletter.purged',
  },
  'POST /jobs/dlq/replays': { body: { all: true }, action: 'operation.created' },
  'POST /jobs/dlq/purges': { body: { all: true, confirm: true }, action: 'operation.created' },
  'POST /jobs/cancellations': { body: { queue_name: 'mail' }, action: 'operation.created' },
  'POST /jobs/activations': { body: { queue_name: 'mail' }, action: 'operation.created' },
  'POST /throttles': {
    body: { queue_name: 'mail', per_second: 1, expires_in_seconds: 60 },
    action: 'throttle.created',
  },
  'PUT /jobs/dlq/causes/{id}/mute': {
    prepare: newCause,
    body: { reason: 'known', expires_in_seconds: 60 },
    action: 'cause_mute.created',
  },
  'DELETE /jobs/dlq/causes/{id}/mute': { prepare: mutedCause, action: 'cause_mute.deleted' },
  'DELETE /throttles/{id}': { prepare: newThrottle, action: 'throttle.deleted' },
  'POST /jobs/moves': { body: { queue_name: 'mail', to_queue: 'bills' }, action: 'operation.created' },
  'POST /jobs/payload-patches': { body: { queue_name: 'mail', payload_patch: { a: 1 } }, action: 'operation.created' },
  'POST /jobs/deletions': { body: { queue_name: 'mail', confirm: true }, action: 'operation.created' },
  'POST /jobs/priority-changes': { body: { queue_name: 'mail', priority: 5 }, action: 'operation.created' },
  'POST /queues/{name}/deletions': {
    prepare: async () => (await send('PUT', '/queues/mail/config', {}), 'mail'),
    body: { hold_seconds: 60 },
    action: 'operation.created',
  },
  'POST /operations/{id}/cancel': { prepare: newOperation, body: {}, action: 'operation.updated' },
  'DELETE /jobs/{id}': { prepare: parentJob, action: 'job.cancelled' },
  'POST /jobs/{id}/cancellation': { prepare: runningJob, body: {}, action: 'job.cancellation_requested' },
  'POST /jobs/{id}/retry': { prepare: failedParent, body: {}, action: 'job.retried' },
  'POST /workflows/{id}/cancel': { prepare: newWorkflow, body: {}, action: 'workflow.cancelled' },
  'POST /workflows/{id}/retry': { prepare: failedWorkflow, body: {}, action: 'workflow.retried' },
  'POST /batches': { body: { name: 'b' }, action: 'batch.created' },
  'POST /batches/{id}/close': { prepare: newBatch, body: {}, action: 'batch.closed' },
  'POST /batches/{id}/cancel': { prepare: newBatch, body: {}, action: 'batch.cancelled' },
  'PUT /organizations/{id}': { prepare: own, body: { name: 'Renamed' }, action: 'organization.updated' },
  'DELETE /organizations/{id}': { prepare: own, action: 'organization.deleted' },
  'POST /organizations/webhook-token/regenerate': { body: {}, action: 'organization.updated' },
  'POST /organizations/webhook-token/clear': {
    prepare: async () => void (await send('POST', '/organizations/webhook-token/regenerate', {})),
    body: {},
    action: 'organization.updated',
  },
  'POST /organizations/{id}/webhook-token/regenerate': { prepare: own, body: {}, action: 'organization.updated' },
  'POST /organizations/{id}/webhook-token/clear': {
    prepare: async () => {
      await send('POST', '/organizations/webhook-token/regenerate', {});
      return tenant.organizationId;
    },
    body: {},
    action: 'organization.updated',
  },
  'POST /admin/organizations': { body: { name: 'Made' }, action: 'organization.created' },
  'PATCH /admin/organizations/{id}': { prepare: own, body: { plan_tier: 'pro' }, action: 'organization.updated' },
  'PUT /admin/organizations/{id}': { prepare: own, body: { plan_tier: 'pro' }, action: 'organization.updated' },
  'DELETE /admin/organizations/{id}': { prepare: own, action: 'organization.updated' },
  'POST /admin/organizations/{id}/api-keys': { prepare: own, body: { name: 'k' }, action: 'api_key.created' },
  'POST /admin/organizations/{id}/reset-usage': { prepare: own, body: {}, action: 'organization.usage_reset' },
  'POST /organizations': { body: { name: 'Made' }, action: 'organization.created' },
};

/** Every other route that changes something, and what shows the change instead. */
const ordinary = {
  'the history of the job': [
    'POST /jobs',
    'POST /jobs/bulk',
    'POST /jobs/claim',
    'POST /jobs/complete/bulk',
    'POST /jobs/{id}/complete',
    'POST /jobs/{id}/fail',
    'POST /jobs/{id}/heartbeat',
    'POST /jobs/{id}/progress',
    'POST /jobs/{id}/release',
    'POST /jobs/{id}/logs',
    'POST /jobs/{id}/steps',
    'POST /jobs/{id}/wait',
    'POST /jobs/{id}/signals',
    'POST /signals',
    'POST /jobs/{id}/dependencies',
    'PUT /jobs/{id}/priority',
    'POST /workflows',
    'POST /batches/{id}/jobs',
  ],
  'the list of workers': [
    'POST /workers/register',
    'POST /workers/{id}/heartbeat',
    'POST /workers/{id}/deregister',
    'DELETE /workers/{id}',
  ],
  'the runs of the schedule': ['POST /schedules/{id}/trigger'],
  'the inbound deliveries': [
    'POST /webhooks/{organizationId}/custom',
    'POST /webhooks/{organizationId}/github',
    'POST /webhooks/{organizationId}/standard',
    'POST /webhooks/{organizationId}/stripe',
  ],
  'the deliveries of the webhook': [
    'POST /outgoing-webhooks/{id}/test',
    'POST /outgoing-webhooks/{id}/retry/{deliveryId}',
    'POST /outgoing-webhooks/{id}/deliveries/{deliveryId}/retry',
  ],
  'the sessions': [
    'POST /auth/login',
    'POST /auth/refresh',
    'POST /auth/logout',
    'POST /console/session',
    'DELETE /console/session',
    'POST /console/login-links',
    'POST /console/login-links/preview',
    'POST /console/sign-in',
  ],
  'a check, which belongs to no organization': ['POST /admin/isolation-checks'],
  'nothing: it changes nothing': [
    'POST /jobs/{id}/signal-urls',
    'POST /auth/validate',
    'POST /auth/email/check',
    'POST /auth/email/start',
    'POST /billing/portal',
    'POST /organizations/generate-slug',
    'POST /schedules/preview',
  ],
};

async function mutatingRoutes(): Promise<string[]> {
  const { body } = await send('GET', '/openapi.json');
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
}

describe('the audit log', () => {
  it('BX-21 records every route that changes something, except everyday work', async () => {
    const listed = [...Object.keys(acts), ...Object.values(ordinary).flat()];
    expect(listed.sort()).toEqual((await mutatingRoutes()).sort());
  });

  it('BX-21 records every command that changes settings or more than one job', () => {
    const recorded = new Set(Object.values(acts).map(({ action }) => action));
    expect(Object.values(auditActions).filter((action) => action !== null && !recorded.has(action))).toEqual([]);
  });

  it('BX-21 leaves an act on one job alone to the history of the job', async () => {
    const id = await create('/jobs', { queue_name: 'mail', payload: {}, max_retries: 0 });
    expect((await send('DELETE', `/jobs/${id}`)).status).toBeLessThan(300);
    expect((await send('POST', `/jobs/${await die()}/retry`, {})).status).toBe(200);
    const ofTenant = (await send('GET', `/admin/audit?organization_id=${tenant.organizationId}&target_kind=job`)).body;
    expect(ofTenant).toEqual([]);
  });

  it.each(Object.entries(acts))(
    'BX-21 records %s with its actor, its origin and what changed',
    async (route, { prepare, body, action }) => {
      const [method, path] = route.split(' ') as [string, string];
      const id = (await prepare?.()) ?? '';
      const before = (await newest())[0]?.id;
      const address = randomAddress();
      const unique = route.includes('POST') && path.endsWith('organizations') ? { slug: `made-${randomUUID()}` } : {};
      const { status } = await send(method, path.replace(/\{\w+\}/, id), body && { ...body, ...unique }, {
        'x-forwarded-for': address,
      });
      expect(status).toBeLessThan(300);
      const all = await newest();
      const fresh = all.slice(
        0,
        all.findIndex((entry) => entry.id === before),
      );
      const acts = fresh.map((entry) => [entry.action, entry.target_kind, entry.target_id].join());
      expect(new Set(acts).size).toBe(acts.length);
      const isAdmin = path.startsWith('/admin') || route === 'POST /organizations';
      const changes = fresh.filter((entry) => entry.action === action).flatMap(({ before, after }) => [before, after]);
      expect(changes.some((change) => Object.keys(change ?? {}).length > 0)).toBe(true);
      expect(fresh).toContainEqual(
        expect.objectContaining({
          action,
          actor:
            isAdmin && route !== 'POST /organizations' ? { kind: 'admin', id: null, name: null } : expect.anything(),
          address,
          user_agent: 'curl/8',
        }),
      );
    },
  );
});
