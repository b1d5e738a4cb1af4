import type { Database } from '@spooled/data-access';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openConnections } from './open-connections.js';
import { createTenant, type TestTenant, type TestTenantOptions } from './tenant.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { startRedis, type TestRedis } from './test-redis.js';

const closes: (() => unknown)[] = [];
/** The spec file whose end closes what was opened: modules are loaded once for many files. */
let closingFor: string | undefined;

/**
 * Opens something before the first test of a file and closes it after the last one.
 * Later openings are closed first; Jest alone would run `afterAll` in the order of declaration.
 * The returned object has no members until then, so only hooks and tests may read it.
 */
export function useForAll<T extends object>(open: () => Promise<T>, close: (opened: T) => unknown): T {
  const members = {} as T;
  beforeAll(async () => {
    const opened = await open();
    Object.assign(Object.setPrototypeOf(members, Object.getPrototypeOf(opened) as object), opened);
    closes.push(() => close(members));
  });
  const { testPath } = expect.getState();
  if (testPath !== closingFor) afterAll(closeAll);
  closingFor = testPath;
  return members;
}

async function closeAll(): Promise<void> {
  // Mutation tests run one file again and again.
  closingFor = undefined;
  for (const close of closes.splice(0).reverse()) await close();
}

/** An empty folder for all tests of a file. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-spec-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database for all tests of a file. */
export const useDatabase = (): TestDatabase => useForAll(createTestDatabase, (database) => database.drop());

/** Connections to a database for all tests of a file. */
export function useConnections(database: TestDatabase, settings?: Parameters<typeof openConnections>[1]): Database {
  return useForAll(
    () => Promise.resolve(openConnections(database, settings)),
    (db) => db.close(),
  );
}

/** A Redis for all tests of a file. */
export const useRedis = (): TestRedis => useForAll(startRedis, (redis) => redis.close());

/** An organization with a key for all tests of a file. */
export function useTenant(database: TestDatabase, options?: TestTenantOptions): TestTenant {
  return useForAll(
    () => createTenant(database.superuserUrl, options),
    () => undefined,
  );
}

/** An organization with a key for each test of a file. */
export function useTenantForEach(database: TestDatabase): TestTenant {
  const tenant = {} as TestTenant;
  beforeEach(async () => {
    Object.assign(tenant, await createTenant(database.superuserUrl));
  });
  return tenant;
}

/** SQL without row-level security, on up to four connections. */
export function useSuperuser(database: TestDatabase): Pick<pg.Pool, 'query' | 'connect'> {
  let pool: pg.Pool;
  return useForAll(
    () => {
      // Never idle for too long: specs begin transactions here that hold locks while something else runs.
      pool = new pg.Pool({ connectionString: database.superuserUrl, max: 4, idleTimeoutMillis: 0 });
      pool.on('error', () => undefined);
      return Promise.resolve({
        query: pool.query.bind(pool) as pg.Pool['query'],
        connect: pool.connect.bind(pool) as pg.Pool['connect'],
      });
    },
    () => pool.end(),
  );
}
