import { randomUUID } from 'node:crypto';
import { createOperation, Database, insertContract, type TenantTransaction } from '@spooled/data-access';
import { JobEngine } from '@spooled/queue';
import { claim, createTenant, enqueue, msUntil, newJob, useDatabase, useSuperuser } from '@spooled/testing';
import { CronTask } from '@spooled/service';
import { useIdleScheduler } from '../scheduler.fixture.js';

const database = useDatabase();
const superuser = useSuperuser(database);
// One connection: checks within a transaction must not need a second one.
const scheduler = useIdleScheduler(database, { env: { DATABASE_MAX_CONNECTIONS: '1' } });
let org: string;
beforeEach(async () => void (org = (await createTenant(database.superuserUrl)).organizationId));

const sql = async (text: string, parameters: unknown[] = []) => (await superuser.query(text, parameters)).rows;
const agree = (queue: string, schema: object, mode: 'reject' | 'warn' = 'reject') =>
  scheduler.app
    .get(Database)
    .withTenant(org, (tx) =>
      insertContract(tx, queue, 1, { mode, compatibility: 'none', schema: JSON.stringify(schema), createdBy: null }),
    );

async function schedule(queue: string, cron = '0 3 * * *'): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
     VALUES ($1, $2, 'n', $4, $3, '{"sku": 1}', '2020-01-01')`,
    [id, org, queue, cron],
  );
  return id;
}
const runOf = async (id: string) =>
  (await sql('SELECT status, job_id, error_message FROM schedule_runs WHERE schedule_id = $1', [id]))[0];

async function deadLetters(...payloads: string[]) {
  const engine = new JobEngine(scheduler.app.get(Database), { onEffects: () => undefined });
  const jobs = payloads.map((payload) => newJob({ payload, maxRetries: 0 }));
  await engine.execute([enqueue(org, jobs)]);
  await engine.execute([claim(org, { limit: jobs.length })]);
  await sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE organization_id = $1`, [org]);
  await scheduler.run('lease-recovery');
  return jobs;
}

/** A replay of all dead letters with a patch. Returns the id of the operation. */
async function replay(settings: { stages?: number[] } = {}): Promise<string> {
  const operation = {
    kind: 'deadletter.replay',
    queues: [],
    filter: {},
    settings,
    payloadPatch: '{"more":true}',
    total: null,
    holdSeconds: null,
    actor: null,
  } as const;
  const create = (tx: TenantTransaction) => createOperation(tx, { ...operation, queues: [] }, 20);
  return (await scheduler.app.get(Database).withTenant(org, create))!.id;
}

describe('BX-09 payload contracts in the scheduler', () => {
  it('a run of a schedule fails with the reason if its payload no longer fits, and the schedule goes on', async () => {
    await agree('orders', { properties: { sku: { type: 'string' } } });
    await agree('warned', false as never, 'warn');
    const [refused, warned, free] = [await schedule('orders'), await schedule('warned'), await schedule('mail')];
    const ended = await schedule('orders', '61 * * * *');
    await scheduler.app.get(CronTask).run();
    expect(await runOf(ended)).toMatchObject({ status: 'failed', error_message: expect.stringContaining('cron') });
    expect(await runOf(refused)).toEqual({
      status: 'failed',
      job_id: null,
      error_message: 'payload_template.sku: must be a string (payload contract of queue "orders", version 1)',
    });
    for (const id of [warned, free])
      expect(await runOf(id)).toMatchObject({ status: 'completed', error_message: null });
    const [{ next_run_at: next }] = (await sql('SELECT next_run_at FROM schedules WHERE id = $1', [refused])) as [
      { next_run_at: Date },
    ];
    expect(msUntil(next)).toBeGreaterThan(0);
    expect(await scheduler.service.metrics.text()).toContain(
      'spooled_payload_contract_violations_total{mode="reject"} 1',
    );
  });

  it('a replay waits between its steps for what the checks of its payloads cost', async () => {
    const customLimits = { rate_limit_requests_per_second: 1 };
    org = (await createTenant(database.superuserUrl, { customLimits })).organizationId;
    const jobs = await deadLetters('{"n":1}', '{"n":2}');
    const both = (i: number) => ({ anyOf: [{ $ref: `#/$defs/d${i}` }, { $ref: `#/$defs/d${i}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}`, both(i + 1)]));
    await agree(jobs[0]!.queueName, { $ref: '#/$defs/d0', $defs: { ...$defs, d60: false } }, 'warn');
    const id = await replay({ stages: [1, 10] });
    const [{ at }] = (await sql('SELECT now() AS at')) as [{ at: Date }];
    await scheduler.run('operations');
    const [operation] = await sql(
      'SELECT state, processed::int, reason, extract(epoch FROM next_step_at - $2::timestamptz)::int AS wait FROM operations WHERE id = $1',
      [id, at],
    );
    expect(operation).toMatchObject({ state: 'running', processed: 1, reason: expect.stringContaining('take long') });
    expect(operation.wait).toBeGreaterThan(5);
  });

  it('a dead letter whose patched payload does not fit is not replayed, and keeps its payload', async () => {
    const jobs = await deadLetters('{"sku":1,"n":1}', '{"sku":"A","n":2}');
    await agree(jobs[0]!.queueName, { properties: { sku: { type: 'string' } } });
    const id = await replay();
    const retried = async () =>
      Number(/^spooled_jobs_retried_total (\d+)/m.exec(await scheduler.service.metrics.text())![1]);
    const before = await retried();
    await scheduler.run('operations');
    expect((await retried()) - before).toBe(1);
    const items = await sql('SELECT job_id, state, error FROM operation_items WHERE operation_id = $1', [id]);
    expect(items).toHaveLength(2);
    expect(items).toContainEqual({
      job_id: jobs[0]!.id,
      state: 'refused',
      error: `payload.sku: must be a string (payload contract of queue "${jobs[0]!.queueName}", version 1)`,
    });
    const rows = await sql('SELECT id, status, payload::text AS payload FROM job_records WHERE organization_id = $1', [
      org,
    ]);
    expect(rows).toContainEqual({ id: jobs[0]!.id, status: 'deadletter', payload: '{"sku":1,"n":1}' });
    expect(rows).toContainEqual({ id: jobs[1]!.id, status: 'pending', payload: '{"sku":"A","n":2,"more":true}' });
  });
});
