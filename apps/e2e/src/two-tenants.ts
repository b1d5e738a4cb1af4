import { randomUUID } from 'node:crypto';
import { createTenant, type Stack, type StackOptions, startStack, type TestTenant } from '@spooled/testing';
import pg from 'pg';
import { RestCaller } from './rest-caller.js';

/** An organization with one of each resource, and jobs in several states. */
export interface Tenant extends TestTenant {
  rest: RestCaller;
  /** Name of its queue, its worker and whatever else it names. */
  secret: string;
  /** Occurs in all its documents and texts, and in nothing that anyone else sends. */
  hidden: string;
  /** Its ids by the path of the collection, such as `/workflows/{id}/jobs`. */
  ids: Record<string, string[]>;
  /** Of a job that its worker holds. */
  lease: { job_id: string; worker_id: string; lease_id: string };
}

/** A stack with two organizations: Bob sends requests with the ids of Alice. */
export class TwoTenants {
  private statement?: Promise<string>;

  private constructor(
    readonly stack: Stack,
    readonly superuser: pg.Client,
    readonly alice: Tenant,
    readonly bob: Tenant,
  ) {}

  /** Without scheduler, which would change the data of Alice. */
  static async open(options: StackOptions = {}): Promise<TwoTenants> {
    const stack = await startStack({ ...options, schedulers: 0 });
    const superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    try {
      await superuser.connect();
      const [alice, bob] = await Promise.all([
        createFilledTenant(stack, superuser, 'only-for-alice'),
        createFilledTenant(stack, superuser, 'only-for-bob'),
      ]);
      return new TwoTenants(stack, superuser, alice, bob);
    } catch (error) {
      await superuser.end();
      await stack.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.superuser.end();
    await this.stack.stop();
  }

  /**
   * All rows of Alice as text, without the time of last use, what is measured and sampled meanwhile, and her log of refused webhooks, in
   * which calls with a wrong credential are meant to appear, later.
   */
  async dataOfAlice(): Promise<string> {
    // One prepared statement: an attack reads this twice for each route and function.
    const text = await (this.statement ??= this.statementForData());
    const { rows } = await this.superuser.query<{ row: string }>({
      name: 'data of Alice',
      text,
      values: [this.alice.organizationId],
    });
    return rows.map(({ row }) => row).join('\n');
  }

  private async statementForData(): Promise<string> {
    const { rows: tables } = await this.superuser.query<{ name: string }>(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname NOT IN ('queue_series', 'series_counters', 'latency_counts', 'inbound_refusals') ORDER BY 1`);
    const rowsOf = ({ name }: { name: string }): string =>
      `SELECT '${name}: ' || (to_jsonb(t) - 'last_used')::text AS row FROM ${name} t WHERE organization_id = $1`;
    return `${tables.map(rowsOf).join(' UNION ALL ')} ORDER BY 1`;
  }

  /** The paths of a route, relative to /api/v1, with ids of Alice: all of them, or one of hers and one of Bob's own, in both orders. */
  foreignPaths(path: string): string[] {
    const { alice, bob } = this;
    const owners =
      path.split('/{').length > 2
        ? [
            [alice, alice],
            [bob, alice],
            [alice, bob],
          ]
        : [[alice]];
    return owners.flatMap((of) => pathsWithIds(path, of));
  }
}

/**
 * The paths of a route, relative to /api/v1, with the ids of an owner for each of its collections.
 * @throws Error for a collection without ids, so that a new resource is not left out
 */
export function pathsWithIds(path: string, owners: Pick<Tenant, 'ids'>[]): string[] {
  const choices = [...path.matchAll(/\/\{[^}]+\}/g)].map(({ index }, i) => {
    const collection = path.slice(0, index).replaceAll(/\{[^}]+\}/g, '{}');
    const own = owners[i]!.ids[collection];
    if (!own?.[0]) throw new Error(`two-tenants.ts creates nothing in ${collection}`);
    return own;
  });
  const most = Math.max(1, ...choices.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => {
    let i = 0;
    return path.replaceAll(/\{[^}]+\}/g, () => choices[i]![n % choices[i++]!.length]!);
  });
}

/** Posts to the API. @returns the body of the response */
async function create(rest: RestCaller, path: string, body: object) {
  const response = await rest.post(path, body);
  expect({ path, status: response.status, body: response.body }).toMatchObject({ path, status: expect.any(Number) });
  expect(response.status).toBeLessThan(300);
  return response.body;
}

/** A dead letter, a job that its worker holds, and one that waits. */
async function createJobs(
  rest: RestCaller,
  secret: string,
  hidden: string,
): Promise<{ jobs: string[]; lease: Tenant['lease'] }> {
  const job = async (more: object = {}): Promise<string> =>
    (
      await create(rest, '/jobs', {
        queue_name: secret,
        payload: { secret, hidden },
        tags: { secret, hidden },
        ...more,
      })
    ).id;
  const dead = await job({ max_retries: 0 });
  await rest.post('/jobs/claim', { queue_name: secret, worker_id: secret });
  await rest.post(`/jobs/${dead}/fail`, { worker_id: secret, error: `${secret} ${hidden}` });
  const held = await job({ priority: 9 });
  const take = { queue_name: secret, worker_id: secret, lease_duration_secs: 3600 };
  const [{ lease_id }] = (await create(rest, '/jobs/claim', take)).jobs;
  const waiting = await job({ idempotency_key: secret });
  return { jobs: [dead, held, waiting], lease: { job_id: held, worker_id: secret, lease_id } };
}

type Jobs = Pick<Tenant, 'secret' | 'hidden' | 'lease' | 'ids'>;

/** Jobs of each kind in a queue of this name, with the group and the cause of the dead letter. */
async function fillJobs(rest: RestCaller, secret: string): Promise<Jobs> {
  const hidden = `hidden-${randomUUID()}`;
  const { jobs, lease } = await createJobs(rest, secret, hidden);
  const groups = (await rest.get(`/jobs/dlq/groups?queue_name=${secret}`)).body as { id: string }[];
  const { causes } = (await rest.get(`/jobs/dlq/causes?queue_name=${secret}`)).body as { causes: { id: string }[] };
  await rest.put(`/jobs/dlq/causes/${causes[0]!.id}/mute`, { reason: hidden, expires_in_seconds: 3600 });
  const ids = {
    '/jobs': jobs,
    '/jobs/dlq/groups': groups.map(({ id }) => id),
    '/jobs/dlq/causes': causes.map(({ id }) => id),
  };
  return { secret, hidden, lease, ids };
}

/** The same organization with new jobs by another name; all else is what it was filled with. */
export async function refillJobs(tenant: Tenant, secret: string): Promise<Tenant> {
  const jobs = await fillJobs(tenant.rest, secret);
  return { ...tenant, ...jobs, ids: { ...tenant.ids, ...jobs.ids } };
}

async function createFilledTenant(stack: Stack, superuser: pg.Client, secret: string): Promise<Tenant> {
  return fillTenant(stack, superuser, await createTenant(stack.databaseUrls.superuserUrl), secret);
}

/** Creates one of each resource in an organization, all by this name, which it may have others of. */
export async function fillTenant(
  stack: Stack,
  superuser: pg.Client,
  tenant: TestTenant,
  secret: string,
): Promise<Tenant> {
  const rest = new RestCaller(stack.baseUrl, tenant.key);
  const jobs = await fillJobs(rest, secret);
  const { hidden } = jobs;
  const worker = await create(rest, '/workers/register', {
    queue_name: secret,
    hostname: secret,
    worker_id: secret,
    metadata: { hidden },
  });
  const key = await create(rest, '/api-keys', { name: hidden, queues: [secret] });
  await rest.put(`/queues/${secret}/config`, { settings: { secret, hidden } });
  const step = { key: 'a', queue_name: secret, payload: { secret, hidden } };
  const workflow = await create(rest, '/workflows', { name: hidden, jobs: [step] });
  const batch = await create(rest, '/batches', { name: hidden, metadata: { secret, hidden } });
  const added = await create(rest, `/batches/${batch.id}/jobs`, {
    queue_name: secret,
    jobs: [{ payload: { hidden } }],
  });
  const schedule = await create(rest, '/schedules', {
    name: hidden,
    cron_expression: '0 0 1 1 *',
    queue_name: secret,
    payload_template: { secret, hidden },
  });
  const hook = { name: hidden, url: 'https://example.com/', events: ['queue.paused'] };
  const webhook = await create(rest, '/outgoing-webhooks', hook);
  const { rows: deliveries } = await superuser.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, next_attempt_at)
     VALUES ($1, $2, 'queue.paused', $3, 'failed', NULL) RETURNING id`,
    [tenant.organizationId, webhook.id, JSON.stringify({ secret, hidden })],
  );
  const operation = await create(rest, '/jobs/dlq/replays', { queue_name: secret });
  await rest.put(`/organizations/${tenant.organizationId}`, { name: hidden });
  await rest.post(`/organizations/${tenant.organizationId}/webhook-token/regenerate`);

  const throttle = await create(rest, '/throttles', {
    queue_name: `throttled-${secret}`,
    per_second: 1,
    expires_in_seconds: 3600,
  });

  const ids = {
    ...jobs.ids,
    '/workers': [worker.id],
    '/queues': [secret],
    '/api-keys': [key.id],
    '/organizations': [tenant.organizationId],
    '/admin/organizations': [tenant.organizationId],
    '/workflows': [workflow.workflow_id],
    '/workflows/{}/jobs': workflow.job_ids.map(({ job_id }: { job_id: string }) => job_id),
    '/batches': [batch.id],
    '/batches/{}/jobs': added.succeeded.map(({ job_id }: { job_id: string }) => job_id),
    '/throttles': [throttle.id],
    '/schedules': [schedule.id],
    '/operations': [operation.id],
    '/outgoing-webhooks': [webhook.id],
    '/outgoing-webhooks/{}/deliveries': [deliveries[0]!.id],
    '/outgoing-webhooks/{}/retry': [deliveries[0]!.id],
  };
  return { ...tenant, ...jobs, rest, ids };
}
