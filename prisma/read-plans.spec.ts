import {
  areDependenciesMet,
  type Database,
  findJob,
  findJobForTimeline,
  findJobStatuses,
  listJobHistory,
  listRelatives,
  type TenantTransaction,
} from '@spooled/data-access';
import { countReads, createTestDatabase, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { insertRows, type RowKind } from './table-rows.fixture.js';

const rowsLater: [RowKind, count: number, time: string][] = [
  ['leased', 3_000, '1 day'],
  ['ready', 3_000, '0'],
  ['deadLetters', 3_000, '0'],
  ['completedJobs', 3_000, '-10 days'],
];

interface JobIds {
  recent: string;
  old: string;
}

type Read = (tx: TenantTransaction, ids: JobIds) => Promise<unknown>;

const page = { direction: 'desc', limit: 100, offset: 0 } as const;
/** What each read returns, so that one that finds nothing is noticed. */
const reads: Record<string, [read: Read, expected: unknown]> = {
  'a job': [(tx, { recent }) => findJob(tx, recent, null), { status: 'deadletter' }],
  'statuses of jobs of several weeks': [
    (tx, { recent, old }) => tx.run(findJobStatuses, { ids: [recent, old], queues: ['emails'] }),
    [{ status: 'deadletter' }, { status: 'completed' }],
  ],
  'the history of a job': [(tx, { recent }) => listJobHistory(tx, recent, null, page), { total: 2 }],
  'the job of a timeline': [
    (tx, { old }) => tx.first(findJobForTimeline, { id: old, queues: null }),
    { status: 'completed' },
  ],
  'its relatives': [
    (tx, { recent }) => tx.run(listRelatives, { id: recent, queues: null, limit: 10 }),
    [{ status: 'processing' }],
  ],
  'whether its dependencies are met': [
    async (tx, { recent }) => ({ met: (await tx.one(areDependenciesMet, { id: recent, mode: null })).met }),
    { met: false },
  ],
};

/** PL/pgSQL keeps the plans of a session, and sessions begin before the tables have rows. */
describe.each(['new', 'vacuumed'])(
  'SP-63 with plans cached while the tables were empty and %s, a read of',
  (tables) => {
    let database: TestDatabase;
    let superuser: pg.Client;
    let db: Database;
    let organizationId: string;
    let ids: JobIds;

    beforeAll(async () => {
      database = await createTestDatabase();
      superuser = new pg.Client({ connectionString: database.superuserUrl });
      await superuser.connect();
      if (tables === 'vacuumed') await superuser.query('VACUUM ANALYZE');
      organizationId = await idOf(`INSERT INTO organizations (name, slug) VALUES ('A', 'a') RETURNING id`);
      // One connection, so that every statement uses the cached plans.
      db = openConnections(database, { maxConnections: 1, minConnections: 1 });
      ids = { recent: organizationId, old: organizationId };
      for (const [read] of Object.values(reads)) await db.withTenant(organizationId, (tx) => read(tx, ids));
      for (const [kind, count, time] of rowsLater) await insertRows(superuser, [organizationId], { kind, count, time });
      ids = {
        recent: await idOf(`SELECT id FROM jobs WHERE outcome = 'deadletter' LIMIT 1`),
        old: await idOf(`SELECT id FROM jobs WHERE outcome = 'completed' LIMIT 1`),
      };
      const parent = await idOf(`SELECT job_id AS id FROM job_queue WHERE state = 'leased' LIMIT 1`);
      await superuser.query(
        'INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)',
        [organizationId, ids.recent, parent],
      );
    });
    afterAll(async () => {
      await db.close();
      await superuser.end();
      await database.drop();
    });

    async function idOf(sql: string): Promise<string> {
      return (await superuser.query<{ id: string }>(sql)).rows[0]!.id;
    }

    /** Rows and index entries read so far. */
    async function counted(): Promise<number> {
      const { sequential, entries } = await countReads(db, superuser);
      return sequential + entries;
    }

    it.each(Object.entries(reads))('%s reads only rows of that job', async (_, [read, expected]) => {
      const before = await counted();
      const found = await db.withTenant(organizationId, (tx) => read(tx, ids));
      const rowsRead = (await counted()) - before;
      expect(found).toMatchObject(expected as object);
      expect({ rowsRead, isBounded: rowsRead <= 20 }).toEqual({ rowsRead, isBounded: true });
    });
  },
);
