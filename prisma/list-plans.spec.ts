import { randomUUID } from 'node:crypto';
import {
  type Database,
  listAudit,
  listDeliveries,
  listInboundDeliveries,
  type ListPosition,
  listOperations,
  listSchedules,
  listWorkflows,
  repeatableRead,
  type Searched,
  type TenantTransaction,
  type TimedPage,
} from '@spooled/data-access';
import { countReads, createTestDatabase, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import listRows from './list-rows.fixture.sql';

/** More than a search reads. */
const rows = 50_000;
/**
 * 21,000 rows and their index entries, read once for the page and once for its end, beside 1,000 that are tried first. All rows and entries
 * would be 100,000.
 */
const boundedReads = 90_000;

const org = randomUUID();
const webhook = randomUUID();
let database: TestDatabase;
let superuser: pg.Client;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Spec', 'spec')`, [org]);
  await superuser.query(
    `INSERT INTO outgoing_webhooks (id, organization_id, name, url, events) VALUES ($1, $2, 'Spec', 'https://example.com', '{}')`,
    [webhook, org],
  );
  // The triggers of settings would write a second audit log.
  await superuser.query('SET session_replication_role = replica');
  await superuser.query(listRows, [org, rows, webhook]);
  await superuser.query(
    'VACUUM (ANALYZE) workflows, audit_log, operations, webhook_deliveries, inbound_deliveries, schedules',
  );
  // One connection, so that its statistics can be flushed.
  db = openConnections(database, { maxConnections: 1, minConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await superuser.end();
  await database.drop();
});

type List = (tx: TenantTransaction, page: TimedPage) => Promise<Searched<unknown>>;

const anyAudit = {
  action: null,
  actorKind: null,
  actorId: null,
  targetKind: null,
  targetId: null,
  since: null,
  until: null,
};
const anyInbound = { status: null, since: null, queueName: null };
const anyOperation = { queues: null, kind: null, state: null };

/** Filters that an index answers, and the names of what they find. */
const byIndex: Record<string, [List, string[]]> = {
  'failed workflows': [(tx, page) => listWorkflows(tx, { queues: null, statuses: ['failed'], ...page }), ['1']],
  'workflows that have not completed': [
    (tx, page) => listWorkflows(tx, { queues: null, statuses: ['failed', 'cancelled'], ...page }),
    ['2', '1'],
  ],
  'running workflows': [(tx, page) => listWorkflows(tx, { queues: null, statuses: ['running'], ...page }), ['3']],
  'open workflows of a queue': [
    (tx, page) => listWorkflows(tx, { queues: ['rare'], statuses: ['pending', 'running'], ...page }),
    ['4', '3'],
  ],
  'audit of a time': [(tx, page) => listAudit(tx, { ...anyAudit, until: '2026-01-01T00:00:03Z', ...page }), ['2', '1']],
  'failed deliveries': [(tx, page) => listDeliveries(tx, webhook, { statuses: ['failed'], ...page }), ['1']],
  'pending deliveries': [(tx, page) => listDeliveries(tx, webhook, { statuses: ['pending'], ...page }), ['3', '2']],
  'inbound deliveries of a queue': [
    (tx, page) => listInboundDeliveries(tx, { ...anyInbound, queueName: 'rare', ...page }),
    ['2'],
  ],
  'duplicates of a queue': [
    (tx, page) => listInboundDeliveries(tx, { ...anyInbound, status: 'duplicate', queueName: 'rare', ...page }),
    ['2'],
  ],
  'inbound duplicates': [
    (tx, page) => listInboundDeliveries(tx, { ...anyInbound, status: 'duplicate', ...page }),
    ['3', '2', '1'],
  ],
};

/** Filters that no index answers: these are searched for in parts. */
const inParts: Record<string, [List, string[]]> = {
  'workflows of a queue': [
    (tx, page) => listWorkflows(tx, { queues: ['rare'], statuses: null, ...page }),
    ['4', '3', '2', '1'],
  ],
  'audit of an action': [(tx, page) => listAudit(tx, { ...anyAudit, action: 'rare', ...page }), ['3', '2', '1']],
  'audit of an actor': [
    (tx, page) => listAudit(tx, { ...anyAudit, actorKind: 'rare', actorId: 'r', ...page }),
    ['3', '2', '1'],
  ],
  'audit of a target': [
    (tx, page) => listAudit(tx, { ...anyAudit, targetKind: 'rare', targetId: '2', ...page }),
    ['2'],
  ],
  'operations of a kind': [
    (tx, page) => listOperations(tx, { ...anyOperation, kind: 'job.cancel', ...page }),
    ['3', '2', '1'],
  ],
  'operations of a state and a queue': [
    (tx, page) => listOperations(tx, { ...anyOperation, queues: ['rare'], state: 'stopped', ...page }),
    ['3', '2', '1'],
  ],
  'deliveries of several statuses': [
    (tx, page) => listDeliveries(tx, webhook, { statuses: ['pending', 'failed'], ...page }),
    ['3', '2', '1'],
  ],
  'duplicates of a frequent queue': [
    (tx, page) => listInboundDeliveries(tx, { ...anyInbound, status: 'duplicate', queueName: 'common', ...page }),
    ['3', '1'],
  ],
  'inactive schedules': [(tx, page) => listSchedules(tx, { queues: null, active: false, ...page }), ['3', '2', '1']],
  'schedules of a queue': [
    (tx, page) => listSchedules(tx, { queues: ['rare'], active: null, ...page }),
    ['3', '2', '1'],
  ],
};

/** The number of a row, in whichever column it has it. */
const numberOf = (row: unknown): string => {
  const { name, target_id: target, actor, event_type: type, event } = row as Record<string, string>;
  return name ?? target ?? actor ?? type ?? event!;
};

const read = (list: List, page: Partial<TimedPage>) =>
  db.withTenant(org, (tx) => list(tx, { limit: 50, offset: 0, after: null, ...page }), repeatableRead);

/** Rows and index entries read so far. */
async function counted(): Promise<number> {
  const { fetched, sequential, entries } = await countReads(db, superuser);
  return fetched + sequential + entries;
}

/** What a client finds that follows the ends of short pages, and the most that one page has read. */
async function walk(list: List): Promise<{ found: string[]; pages: number; most: number }> {
  const found: string[] = [];
  let pages = 0;
  let most = 0;
  for (let after: ListPosition | null = null, more = true; more; pages++) {
    const before = await counted();
    const page: Searched<unknown> = await read(list, { after });
    most = Math.max(most, (await counted()) - before);
    found.push(...page.rows.map(numberOf));
    after = page.searchedTo;
    more = after !== null;
  }
  return { found, pages, most };
}

describe('SP-91 SP-63 a list with many rows', () => {
  it.each(Object.entries(byIndex))('finds %s by an index', async (_, [list, expected]) => {
    const { found, pages, most } = await walk(list);
    expect({ found, pages }).toEqual({ found: expected, pages: 1 });
    expect(most).toBeLessThan(100);
  });

  it.each(Object.entries(inParts))('finds %s in parts', async (_, [list, expected]) => {
    const { found, pages, most } = await walk(list);
    expect(found).toEqual(expected);
    expect({ pages, most, isBounded: pages > 1 && most < boundedReads }).toEqual({ pages, most, isBounded: true });
    // By offset the search goes twelve times as far.
    const complete = await read(list, { offset: 1 });
    expect(complete).toEqual({ rows: [], searchedTo: expect.objectContaining({ id: expect.any(String) }) });
  });

  it('by frequent values has full pages', async () => {
    const list: List = (tx, page) => listAudit(tx, { ...anyAudit, action: 'common', ...page });
    const before = await counted();
    const { rows: page, searchedTo } = await read(list, { offset: 10 });
    expect({ length: page.length, first: numberOf(page[0]), searchedTo }).toEqual({
      length: 50,
      first: String(rows - 10),
      searchedTo: null,
    });
    expect((await counted()) - before).toBeLessThan(6_000);
  });
});
