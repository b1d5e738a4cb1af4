import { Database, type SystemTransaction, type TransactionLimits, withAdvisoryLock } from '@spooled/data-access';
import { isSchedulerRunning, SchedulerPresence } from '@spooled/queue';
import { eventually } from '@spooled/testing';
import { openContracts } from './contracts.js';
import { EmbeddedFixture, endsAs, startWorker } from './embedded.fixture.js';
import type { EmbeddedSpooled } from './index.js';
import { EmbeddedMaintenance } from './maintenance.js';

let fixture: EmbeddedFixture;
let spooled: EmbeddedSpooled;
let db: ObservedDatabase;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  spooled = await fixture.start();
  db = new ObservedDatabase({
    appUrl: fixture.database.appUrl,
    systemUrl: fixture.database.systemUrl,
    applicationName: 'spec',
    maxConnections: 4,
    minConnections: 0,
    maxSystemConnections: 8,
    acquireTimeoutMs: 20_000,
    // As in `openConnections`.
    queryTimeoutMs: 20_000,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await db?.close();
  await fixture?.close();
});

/** Counts what runs as the maintenance role. */
class ObservedDatabase extends Database {
  readonly reasons: string[] = [];

  override asSystem<T>(reason: string, work: (tx: SystemTransaction) => Promise<T>, limits?: TransactionLimits) {
    this.reasons.push(reason);
    return super.asSystem(reason, work, limits);
  }

  count = (reason: string): number => this.reasons.filter((each) => each === reason).length;
}

const heldJobWithExpiredLease = async (): Promise<string> => {
  const { id } = await spooled.jobs.create({ queueName: 'lost', payload: 1 });
  await fixture.sql(
    `UPDATE job_queue SET state = 'leased', worker_id = 'gone', lease_id = uuidv7(), started_at = now() - interval '1 minute',
       lease_expires_at = now() - interval '1 second' WHERE job_id = $1`,
    [id],
  );
  return id;
};

const newMaintenance = (onError: (error: unknown) => void) =>
  new EmbeddedMaintenance(db, {
    overrides: {},
    heartbeatSeconds: 10,
    contracts: openContracts(db, onError),
    onEffects: () => undefined,
    onError,
  });

describe('BX-18 the periodic work of embedded processes', () => {
  it('is left to a scheduler while one runs, and done once none does', async () => {
    const presences = [new SchedulerPresence(db), new SchedulerPresence(db)];
    for (const presence of presences) presence.start();
    await eventually(async () => expect(await isSchedulerRunning(db)).toBe(true));
    const problems: unknown[] = [];
    const maintenance = newMaintenance((error) => void problems.push(error));
    const id = await heldJobWithExpiredLease();
    try {
      maintenance.start();
      // Every task has found the scheduler, the one for expired leases among them.
      await eventually(() => expect(db.count('check scheduler')).toBeGreaterThan(20));
      expect(db.count('lease-recovery')).toBe(0);
      expect(await spooled.jobs.get(id)).toMatchObject({ status: 'processing' });
      await Promise.all(presences.map((presence) => presence.stop()));
      await endsAs(spooled, id, { status: 'pending', retryCount: 1 });
      expect(db.count('lease-recovery')).toBeGreaterThan(0);
    } finally {
      await Promise.all([...presences.map((presence) => presence.stop()), maintenance.stop()]);
    }
    expect(problems).toEqual([]);
  });

  it('run at once, waits for runs in the background: rows that they hold would be skipped', async () => {
    db.reasons.length = 0;
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const background = withAdvisoryLock(db, 'scheduled task due-jobs', () => {
      locked.resolve();
      return release.promise;
    });
    await locked.promise;
    const all = newMaintenance(() => undefined).runAll();
    // The background's own and two attempts.
    await eventually(() => expect(db.count('lock scheduled task due-jobs')).toBeGreaterThan(2));
    expect(db.count('due-jobs')).toBe(0);
    release.resolve();
    await Promise.all([background, all]);
    expect(db.count('due-jobs')).toBe(1);
  });

  it('BX-09 leaves a dead letter whose patched payload violates the contract of its queue', async () => {
    const organization = await fixture.organization();
    const process = await fixture.start({ organization });
    const worker = await startWorker(process, { orders: () => Promise.reject(new Error('no')) });
    const { id } = await process.jobs.create({ queueName: 'orders', payload: { sku: 'a' }, maxRetries: 0 });
    await endsAs(process, id, { status: 'deadletter' });
    await worker.stop();
    await fixture.sql(
      `INSERT INTO payload_contracts (organization_id, queue_name, version, mode, compatibility, schema, is_current)
       VALUES ($1, 'orders', 1, 'reject', 'none', '{"properties": {"sku": {"type": "string"}}}', true)`,
      [organization],
    );
    // A process that has not cached that there was none.
    await process.close();
    await fixture.startWithMaintenance({ organization });
    const [operation] = await fixture.sql<{ id: string }>(
      `INSERT INTO operations (organization_id, kind, payload_patch) VALUES ($1, 'deadletter.replay', '{"sku": 1}') RETURNING id`,
      [organization],
    );
    const outcome = () =>
      fixture.sql(
        `SELECT o.state, o.refused::int, i.error FROM operations o LEFT JOIN operation_items i ON i.operation_id = o.id
         WHERE o.id = $1`,
        [operation!.id],
      );
    const error = expect.stringContaining('string') as unknown as string;
    await eventually(async () => expect(await outcome()).toEqual([{ state: 'completed', refused: 1, error }]));
    const [job] = await fixture.sql('SELECT status FROM job_records WHERE id = $1', [id]);
    expect(job).toEqual({ status: 'deadletter' });
  });
});
