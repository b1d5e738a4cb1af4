import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oldestPostgres } from '@spooled/domain';
import { startPostgres } from './embedded-postgres.js';

const binaries = `older-postgres-${oldestPostgres}`;
/** One spec for each kind of statements and functions: jobs, settings, pauses, rates, deliveries, embedded mode, outboxes, ids. */
const specs = [
  'libs/queue/src/testing/job-',
  'libs/queue/src/(claim/(claimed-jobs|queue-concurrency)|fail/failed-attempts)',
  'libs/queue/src/(workflows/workflows|batches/batches|job-steps/)',
  'libs/data-access/src/(queue-settings|migrate/migrate|outgoing-webhooks/bounded-deliveries)',
  'libs/embedded/src/(embedded-jobs|schema|wakeups|maintenance)',
  'libs/sdk/src/outbox/outbox.spec',
  'prisma/functions',
];

// Its package exists for one platform alone.
const onLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;

onLinux(`PostgreSQL ${oldestPostgres}, the oldest that is supported`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spooled-older-'));
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('BX-18 passes the specs of jobs, settings, deliveries and embedded mode', async () => {
    const settings = { max_connections: 300 };
    const server = await startPostgres({ folder, password: 'postgres', durable: false, binaries, settings });
    try {
      const { SPOOLED_TEST_TEMPLATE: _template, JEST_WORKER_ID: _worker, ...env } = process.env;
      const jest = spawn(process.execPath, ['deploy/local/jest.mjs', ...specs], {
        env: { ...env, SPOOLED_TEST_DATABASE_URL: server.url, SPOOLED_TEST_REPORTS: join(folder, 'reports') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const failures: string[] = [];
      jest.stderr.on('data', (data: Buffer) => {
        failures.push(
          ...data
            .toString()
            .split('\n')
            .filter((line) => /^(FAIL|Tests:)|● (?!Console)/.test(line)),
        );
      });
      const [code] = (await once(jest, 'close')) as [number];
      expect({ code, failures }).toEqual({ code: 0, failures: [expect.stringMatching(/^Tests: +\d+ passed/)] });
    } finally {
      await server.stop();
    }
  }, 600_000);
});
