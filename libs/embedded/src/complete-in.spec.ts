import { once } from 'node:events';
import { type Handler, LeaseExpiredError } from '@spooled/sdk';
import { gate } from '@spooled/testing';
import pg from 'pg';
import { EmbeddedFixture, endsAs, startWorker, stopWorkers } from './embedded.fixture.js';
import type { EmbeddedSpooled } from './index.js';

let fixture: EmbeddedFixture;
let spooled: EmbeddedSpooled;
let pool: pg.Pool;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  spooled = await fixture.startWithMaintenance();
  pool = new pg.Pool({ connectionString: fixture.database.appUrl });
  // A session may outlive `end`, and the drop of the database terminates it.
  pool.on('error', () => undefined);
  await fixture.sql('CREATE TABLE effects (queue text NOT NULL); GRANT SELECT, INSERT ON effects TO spooled_app');
});
afterEach(stopWorkers);
afterAll(async () => {
  await pool?.end();
  await fixture?.close();
});

type Step = (client: pg.PoolClient, context: Parameters<Handler>[1]) => Promise<unknown>;

/** A worker whose handler writes a row, runs the step in the same transaction, and then ends it so. */
async function work(queue: string, step: Step, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT', begin = 'BEGIN') {
  return startWorker(spooled, {
    [queue]: async ({ queueName }, context) => {
      const client = await pool.connect();
      try {
        await client.query(begin);
        await client.query('INSERT INTO effects VALUES ($1)', [queueName]);
        const result = await step(client, context);
        await client.query(end);
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  });
}

const effectsOf = async (queue: string) => (await fixture.sql('SELECT FROM effects WHERE queue = $1', [queue])).length;
const create = async (queueName: string, more: object = {}) =>
  (await spooled.jobs.create({ queueName, payload: 1, maxRetries: 0, ...more })).id;

describe('BX-18 completeIn', () => {
  it('commits the rows of the handler with the completion and its result, and releases dependent jobs', async () => {
    const id = await create('commits');
    const child = await create('commits', { parentJobId: id });
    expect(await spooled.jobs.get(child)).toMatchObject({ dependenciesMet: false });
    const worker = await work('commits', (client, { completeIn }) => completeIn(client, { big: 2n ** 60n }));
    const completed = once(worker, 'completed');
    const [job, result] = await completed;
    expect([job.id, result]).toEqual([id, { big: 2n ** 60n }]);
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'completed', result: { big: 2n ** 60n } });
    await endsAs(spooled, child, { status: 'completed' });
    expect(await effectsOf('commits')).toBe(2);
  });

  it('shows the completion to nobody before the commit', async () => {
    const [completedIn, commit] = [gate(), gate()];
    await work('unseen', async (client, { completeIn }) => {
      await completeIn(client, 1);
      completedIn.open();
      await commit.opened;
    });
    const id = await create('unseen');
    await completedIn.opened;
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'processing' });
    commit.open();
    await endsAs(spooled, id, { status: 'completed', result: 1 });
  });

  it('is the last act of a handler: a step would wait for the transaction that waits for it', async () => {
    const id = await create('last');
    await work('last', async (client, { completeIn, step }) => {
      await completeIn(client, 1);
      return step('mail', () => 2);
    });
    await endsAs(spooled, id, { status: 'deadletter', lastError: expect.stringContaining('completeIn') });
    expect(await effectsOf('last')).toBe(0);
  });

  it('counts although a second call is refused', async () => {
    const worker = await work('twice', async (client, { completeIn }) => {
      await completeIn(client, 1);
      await completeIn(client, 2).catch(() => undefined);
    });
    const completed = once(worker, 'completed');
    const id = await create('twice');
    expect((await completed)[1]).toBe(1);
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'completed', result: 1 });
  });

  it('fails the attempt when the transaction is rolled back', async () => {
    await work('rolls-back', (client, { completeIn }) => completeIn(client, 1), 'ROLLBACK');
    const id = await create('rolls-back');
    await endsAs(spooled, id, {
      status: 'deadletter',
      lastError: 'The transaction of completeIn was not committed',
    });
    expect(await effectsOf('rolls-back')).toBe(0);
  });

  it('fails the attempt with the error of the handler, if that comes before the commit', async () => {
    await work('throws', async (client, { completeIn }) => {
      await completeIn(client, 1);
      throw new Error('no money');
    });
    const id = await create('throws');
    await endsAs(spooled, id, { status: 'deadletter', lastError: 'no money' });
    expect(await effectsOf('throws')).toBe(0);
  });

  it('stays completed when the handler fails after the commit, and reports the error', async () => {
    const worker = await work('late', async (client, { completeIn }) => {
      await completeIn(client, 1);
      await client.query('COMMIT');
      throw new Error('too late');
    });
    const error = once(worker, 'error');
    const id = await create('late');
    expect((await error)[0]).toMatchObject({ message: 'too late' });
    await endsAs(spooled, id, { status: 'completed', result: 1 });
  });

  it('BX-02 refuses the holder of a lost lease, whose rows are rolled back', async () => {
    const { promise: refusal, resolve: refused } = Promise.withResolvers<unknown>();
    const [started, lost] = [gate(), gate()];
    let attempts = 0;
    const worker = await work('lost', async (client, { completeIn }) => {
      if (++attempts > 1) return completeIn(client, 'second');
      started.open();
      await lost.opened;
      return completeIn(client, 'first').catch((error: unknown) => {
        refused(error);
        throw error;
      });
    });
    const leaseLost = once(worker, 'leaseLost');
    const id = await create('lost', { maxRetries: 1 });
    await started.opened;
    // Of this job alone: with a moved clock its worker counts as lost until its next heartbeat.
    await fixture.sql(`UPDATE job_queue SET lease_expires_at = now() WHERE job_id = $1`, [id]);
    await endsAs(spooled, id, { status: 'completed', result: 'second' });
    lost.open();
    expect(await refusal).toBeInstanceOf(LeaseExpiredError);
    await leaseLost;
    expect(await spooled.jobs.get(id)).toMatchObject({ result: 'second' });
    expect(await effectsOf('lost')).toBe(1);
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'needs READ COMMITTED, not %s: else the last two jobs of a batch see each other neither before nor after',
    async (level) => {
      const queue = level.replace(' ', '-');
      await work(queue, (client, { completeIn }) => completeIn(client, 1), 'COMMIT', `BEGIN ISOLATION LEVEL ${level}`);
      const id = await create(queue);
      await endsAs(spooled, id, { status: 'deadletter', lastError: expect.stringContaining(level.toLowerCase()) });
    },
  );

  it('takes READ UNCOMMITTED for what it is', async () => {
    await work(
      'uncommitted',
      (client, { completeIn }) => completeIn(client, 1),
      'COMMIT',
      'BEGIN ISOLATION LEVEL READ UNCOMMITTED',
    );
    await endsAs(spooled, await create('uncommitted'), { status: 'completed' });
  });

  it('needs an open transaction', async () => {
    await startWorker(spooled, { 'no-transaction': (_, { completeIn }) => completeIn(pool, 1) });
    const id = await create('no-transaction');
    await endsAs(spooled, id, { status: 'deadletter' });
    expect((await spooled.jobs.get(id)).lastError).toContain('tx: no transaction is open');
  });
});
