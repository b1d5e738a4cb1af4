import { command, enqueue, newJob } from '@spooled/testing';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => (org = await fixture.organization()));

const deleteQueue = async () => {
  const [now] = await fixture.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
  await fixture.run(command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt: now!.now }));
};

/** What may delete a job before a late delivery of the command that created it runs. */
const deletions: Record<string, () => Promise<void>> = {
  'with its queue': deleteQueue,
  'with its queue, in steps': async () => {
    await fixture.sql('UPDATE job_stats SET created = 1000000 WHERE organization_id = $1', [org]);
    await deleteQueue();
    const [row] = await fixture.sql<{ id: string }>('SELECT id FROM operations WHERE organization_id = $1', [org]);
    expect(await new OperationsFixture(fixture, org).finish(row!.id)).toMatchObject({ state: 'completed' });
  },
  'as a dead letter': async () => {
    const job = await fixture.claimOne(org);
    await fixture.run(workerCommands(org).fail(job, false));
    const filter = { jobIds: null, queueName: 'emails', olderThan: null, limit: 10, issuedAt: null };
    expect(await fixture.run(command('deadletter.purge', org, filter))).toEqual({ purged: 1 });
  },
};

it.each(Object.keys(deletions))('SP-21 PB-29 does not create a job again that was deleted %s', async (how) => {
  const created = enqueue(org, [newJob({ idempotencyKey: 'one' })]);
  const first = await fixture.run(created);
  await deletions[how]!();
  const again = { ...created, redelivered: true, delivery: 2 };
  expect(await fixture.run(again)).toEqual(first);
  const left = async (table: string) => fixture.sql(`SELECT FROM ${table} WHERE organization_id = $1`, [org]);
  for (const table of ['jobs', 'job_queue', 'idempotency_keys'])
    expect([table, await left(table)]).toEqual([table, []]);
  // Another job of the same batch is created, and the key is free.
  const other = newJob({ idempotencyKey: 'one' });
  const both = enqueue(org, [...created.body.jobs, other]);
  await fixture.run({ ...both, redelivered: true, delivery: 2 });
  expect(await fixture.job(other.id)).toMatchObject({ status: 'pending' });
  expect(await left('jobs')).toHaveLength(1);
});
