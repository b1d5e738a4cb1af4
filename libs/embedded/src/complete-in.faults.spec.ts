import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually, moveClock, SeededRandom, SpecProgram } from '@spooled/testing';
import { EmbeddedFixture } from './embedded.fixture.js';
import type { EmbeddedSpooled } from './index.js';

const program = new SpecProgram('libs/embedded/src/complete-in-process.fixture.ts');
const jobs = 100;
const kills = 4;

describe('BX-18 effects of handlers that complete in their own transaction', () => {
  let fixture: EmbeddedFixture;
  let spooled: EmbeddedSpooled;
  /** Runs until it is told to stop, so a failed test must not leave it. */
  let last: ChildProcess | undefined;
  beforeAll(async () => {
    program.build();
    fixture = await EmbeddedFixture.open();
    spooled = await fixture.start();
    await fixture.sql('CREATE TABLE charges (n int NOT NULL); GRANT SELECT, INSERT ON charges TO spooled_app');
  });
  afterAll(async () => {
    last?.kill('SIGKILL');
    await fixture?.close();
    program.remove();
  });

  const statuses = async () => {
    const rows = await fixture.sql<{ status: string; n: number }>(
      'SELECT status::text, count(*)::int AS n FROM job_records WHERE organization_id = $1 GROUP BY status',
      [spooled.organizationId],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };

  const start = (killAt: number) =>
    program.start({
      APP_URL: fixture.database.appUrl,
      SYSTEM_URL: fixture.database.systemUrl,
      ORGANIZATION: spooled.organizationId,
      KILL_AT: String(killAt),
    });

  it('happen once for each job, when the process is killed between any two statements', async () => {
    const numbers = Array.from({ length: jobs }, (_, n) => n);
    await spooled.jobs.createMany({
      queueName: 'charges',
      jobs: numbers.map((payload) => ({ payload, maxRetries: 100 })),
    });
    const random = new SeededRandom(1);
    for (let kill = 0; kill < kills; kill++) {
      const [, signal] = (await once(start(random.between(1, 250)), 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      // Leases end, and retries are due.
      await moveClock(fixture.database, '1 day');
    }
    expect((await statuses()).completed).toBeGreaterThan(0);
    last = start(Infinity);
    await eventually(async () => expect(await statuses()).toEqual({ completed: jobs }), { timeoutMs: 240_000 });
    last.send('stop');
    await once(last, 'exit');
    const charged = await fixture.sql<{ n: number }>('SELECT n FROM charges ORDER BY n');
    expect(charged.map(({ n }) => n)).toEqual(numbers);
  }, 600_000);
});
