import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { type DatabaseClient, rowsOf, sqlClientOf } from '@spooled/sdk/internal';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import knex, { type Knex } from 'knex';
import { type ControlledTransaction, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource, type EntityManager } from 'typeorm';

/** An open transaction of a library. */
export interface OpenTransaction {
  tx: DatabaseClient;
  sql<Row = object>(text: string): Promise<Row[]>;
  /** A savepoint, which is rolled back when `work` throws. */
  nested<T>(work: (transaction: Omit<OpenTransaction, 'nested'>) => Promise<T>): Promise<T>;
}

/** A library with its connections to one database. */
export interface OpenLibrary {
  /** Commits; rolls back when `work` throws. */
  transaction<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T>;
  /** What is no transaction. */
  outside: DatabaseClient;
  /** A statement in a transaction whose connection is lost ends the process (postgres.js 3.4: "reading 'write'" of null). */
  diesOfStatements?: true;
  close(): Promise<unknown>;
}

type Nested = OpenTransaction['nested'];

const opened = (tx: DatabaseClient, nested: Nested): OpenTransaction => ({ ...flat(tx), nested });
const flat = (tx: DatabaseClient) => ({
  tx,
  sql: <Row>(text: string) => rowsOf<Row>(sqlClientOf(tx, 'tx'), text),
});

/** Where a library has no savepoints, they are statements. */
const bySavepoint =
  (tx: DatabaseClient): Nested =>
  async (work) => {
    const { sql } = flat(tx);
    await sql('SAVEPOINT inner_one');
    try {
      return await work(flat(tx));
    } catch (error) {
      await sql('ROLLBACK TO SAVEPOINT inner_one');
      throw error;
    }
  };

/** Connections that the spec may end. */
function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const postgresOf = (url: string): postgres.Sql => postgres(url, { max: 3, onnotice: () => undefined });

export const libraries: Record<string, (url: string) => OpenLibrary | Promise<OpenLibrary>> = {
  'node-postgres': (url) => {
    const pool = poolOf(url);
    return {
      outside: pool,
      close: () => pool.end(),
      transaction: async (work) => {
        const client = await pool.connect();
        let isLost = false;
        const onError = () => void (isLost = true);
        client.on('error', onError);
        try {
          await client.query('BEGIN');
          const result = await work(opened(client, bySavepoint(client)));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        } finally {
          client.off('error', onError);
          client.release(isLost);
        }
      },
    };
  },

  'postgres.js': (url) => {
    const sql = postgresOf(url);
    return {
      outside: sql,
      diesOfStatements: true,
      close: () => sql.end({ timeout: 1 }),
      transaction: async <T>(work: (transaction: OpenTransaction) => Promise<T>) =>
        (await sql.begin((tx) =>
          work(opened(tx, async (inner) => (await tx.savepoint((savepoint) => inner(flat(savepoint)))) as never)),
        )) as T,
    };
  },

  'Drizzle on node-postgres': (url) => {
    const pool = poolOf(url);
    const db = drizzle(pool);
    return {
      outside: db,
      close: () => pool.end(),
      transaction: (work) =>
        db.transaction((tx) => work(opened(tx, (inner) => tx.transaction((savepoint) => inner(flat(savepoint)))))),
    };
  },

  'Drizzle on postgres.js': (url) => {
    const sql = postgresOf(url);
    const db = drizzlePostgresJs(sql);
    return {
      outside: db,
      diesOfStatements: true,
      close: () => sql.end({ timeout: 1 }),
      transaction: (work) =>
        db.transaction((tx) => work(opened(tx, (inner) => tx.transaction((savepoint) => inner(flat(savepoint)))))),
    };
  },

  Prisma: async (url) => {
    const { PrismaClient } = await prismaClient();
    const prisma = new PrismaClient({ adapter: new PrismaPg(poolOf(url)) });
    return {
      outside: prisma,
      close: () => prisma.$disconnect(),
      transaction: (work) =>
        prisma.$transaction((tx) => work(opened(tx, bySavepoint(tx))), { maxWait: 60_000, timeout: 60_000 }),
    };
  },

  Knex: (url) => {
    const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 3 } });
    return {
      outside: db,
      close: () => db.destroy(),
      transaction: (work) =>
        db.transaction((trx: Knex.Transaction) =>
          work(opened(trx, (inner) => trx.transaction((savepoint) => inner(flat(savepoint))))),
        ),
    };
  },

  TypeORM: async (url) => {
    const db = new DataSource({ type: 'postgres', url, poolSize: 3, poolErrorHandler: () => undefined });
    await db.initialize();
    return {
      outside: db,
      close: () => db.destroy(),
      transaction: (work) =>
        db.transaction((manager: EntityManager) =>
          work(opened(manager, (inner) => manager.transaction((savepoint) => inner(flat(savepoint))))),
        ),
    };
  },

  Kysely: (url) => {
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: poolOf(url) }) });
    const nestedIn =
      (trx: ControlledTransaction<object>): Nested =>
      async (inner) => {
        const savepoint = await trx.savepoint('inner_one').execute();
        try {
          return await inner(flat(savepoint));
        } catch (error) {
          await savepoint.rollbackToSavepoint('inner_one').execute();
          throw error;
        }
      };
    return {
      outside: db,
      close: () => db.destroy(),
      transaction: async (work) => {
        const trx = await db.startTransaction().execute();
        try {
          const result = await work(opened(trx, nestedIn(trx)));
          await trx.commit().execute();
          return result;
        } catch (error) {
          await trx.rollback().execute();
          throw error;
        }
      },
    };
  },
};

interface Prisma {
  $transaction<T>(
    work: (tx: Pick<Prisma, '$queryRawUnsafe'>) => Promise<T>,
    options: { maxWait: number; timeout: number },
  ): Promise<T>;
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $disconnect(): Promise<void>;
}

const prismaSchema = `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id String @id
}
`;

let generated: Promise<{ PrismaClient: new (options: object) => Prisma }> | undefined;

/** The client is generated from a schema; below the repository, because it imports its runtime. */
function prismaClient(): NonNullable<typeof generated> {
  generated ??= (async () => {
    mkdirSync('.data', { recursive: true });
    const folder = mkdtempSync(join(process.cwd(), '.data/prisma-client-'));
    writeFileSync(join(folder, 'schema.prisma'), prismaSchema);
    const command = ['node_modules/prisma/build/index.js', 'generate', '--schema', join(folder, 'schema.prisma')];
    // Nothing migrates with Prisma; it would download its engine for that.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' };
    try {
      execFileSync(process.execPath, command, { env, stdio: 'pipe' });
      return (await import(join(folder, 'client/client.ts'))) as Awaited<NonNullable<typeof generated>>;
    } finally {
      rmSync(folder, { recursive: true });
    }
  })();
  return generated;
}
