import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseSources, migrate } from '@spooled/data-access';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import pg from 'pg';

const sources = databaseSources('.');
const marks = '20261122210000_cancelled_at';
const indexes = '20261122210100_list_indexes';

describe('the migration of cancelled jobs', () => {
  let database: TestDatabase;
  let folder: string;
  let owner: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
    folder = mkdtempSync(join(tmpdir(), 'spooled-migrations-'));
    owner = new pg.Client({ connectionString: database.superuserUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await database?.drop();
    rmSync(folder, { recursive: true });
  });

  /** Applies the migrations before `name`. */
  async function migrateBefore(name: string): Promise<void> {
    for (const one of readdirSync(sources.folder).filter((migration) => migration < name)) {
      cpSync(join(sources.folder, one), join(folder, one), { recursive: true });
    }
    await migrate(database.ownerUrl, { folder });
  }

  const job = (name: string, outcome: string | null) =>
    owner.query(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, completed_at, outcome, timeout_seconds, priority, max_retries,
         queue_name, payload)
       VALUES (uuidv7(), uuidv7(), now(), now(), CASE WHEN $2::job_status IS NOT NULL THEN now() END, $2::job_status, 300, 0, 3, $1, '{}')`,
      [name, outcome],
    );
  /** As the functions of the previous release do, which do not know the column. */
  const end = (name: string, outcome: string | null) =>
    owner.query(
      `UPDATE jobs SET outcome = $2::job_status, completed_at = CASE WHEN $2::job_status IS NOT NULL THEN now() END WHERE queue_name = $1`,
      [name, outcome],
    );

  it('SP-91 marks those that were cancelled before it, and those that the previous release cancels while it runs', async () => {
    await migrateBefore(marks);
    await job('before', 'cancelled');
    await job('done', 'completed');
    await migrateBefore(indexes);
    await job('during', null);
    await end('during', 'cancelled');
    await job('revived', null);
    await end('revived', 'cancelled');
    await end('revived', null);
    await job('completed', null);
    await end('completed', 'completed');
    await migrate(database.ownerUrl, sources);
    const { rows } = await owner.query<{ queue_name: string }>(
      'SELECT queue_name FROM jobs WHERE cancelled_at = completed_at ORDER BY 1',
    );
    expect(rows.map((row) => row.queue_name)).toEqual(['before', 'during']);
    const { rows: marked } = await owner.query('SELECT FROM jobs WHERE cancelled_at IS NOT NULL');
    expect(marked).toHaveLength(2);
    const { rows: triggers } = await owner.query(`SELECT FROM pg_trigger WHERE tgrelid = 'jobs'::regclass`);
    expect(triggers).toEqual([]);
    const { rows: policies } = await owner.query(
      `SELECT polname AS name FROM pg_policy WHERE polrelid = 'jobs'::regclass ORDER BY 1`,
    );
    expect(policies).toEqual([{ name: 'maintenance' }, { name: 'tenant' }]);
  });
});
