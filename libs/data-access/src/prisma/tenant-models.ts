import type pg from 'pg';
import type { PrismaClient, Prisma } from '../generated/client.js';
import { transactionSettings } from '../database/caller-context.js';
import { serverLimits } from '../database/limits.js';
import { toModelError } from './model-errors.js';

declare const tenantModelsMark: unique symbol;

/**
 * Prisma models inside a transaction of one organization: row-level security hides the rows of others. Only
 * `withTenantModels` creates one. For ordinary reads and writes; hot paths use SQL.
 */
export type TenantModels = Prisma.TransactionClient & {
  readonly organizationId: string;
  readonly [tenantModelsMark]: true;
};

/** The Prisma client on the shared connection pool; loaded at first use, because most services do not need it. */
export class ModelStore {
  private client?: Promise<PrismaClient>;

  constructor(
    private readonly pool: pg.Pool,
    private readonly limits: { acquireTimeoutMs: number; queryTimeoutMs: number },
  ) {}

  /**
   * Runs `work` in one transaction of one organization.
   * @throws SpooledError 503 when PostgreSQL is unavailable; any error that `work` throws
   */
  async withTenant<T>(organizationId: string, work: (models: TenantModels) => Promise<T>): Promise<T> {
    const client = await (this.client ??= this.open());
    try {
      return await client.$transaction(
        async (transaction) => {
          const { statement, idle } = serverLimits(this.limits.queryTimeoutMs);
          const settings = [
            ...transactionSettings(organizationId),
            ['statement_timeout', statement],
            ['idle_in_transaction_session_timeout', idle],
          ];
          await transaction.$queryRaw`
            SELECT set_config(name, value, true) FROM json_to_recordset(${JSON.stringify(settings.map(([name, value]) => ({ name, value })))}::json)
              AS s (name text, value text)`;
          return work(modelsOf(transaction, organizationId));
        },
        { maxWait: this.limits.acquireTimeoutMs, timeout: 20_000 },
      );
    } catch (error) {
      throw toModelError(error);
    }
  }

  async close(): Promise<void> {
    if (this.client) await (await this.client).$disconnect();
  }

  private async open(): Promise<PrismaClient> {
    const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
      import('../generated/client.js'),
      import('@prisma/adapter-pg'),
    ]);
    return new PrismaClient({ adapter: new PrismaPg(this.pool) });
  }
}

/**
 * The transaction with its organization. A proxy, because concurrent transaction clients share their properties: each would
 * see the organization of the transaction that began last.
 */
const modelsOf = (transaction: Prisma.TransactionClient, organizationId: string): TenantModels =>
  new Proxy(transaction, {
    get: (target, name) => (name === 'organizationId' ? organizationId : Reflect.get(target, name)),
  }) as TenantModels;

/** Serializes transactions that count and then create a resource of an organization; held until the commit. */
export async function lockResource(models: TenantModels, resource: string): Promise<void> {
  const key = `${models.organizationId}:${resource}`;
  await models.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))::text`;
}

/** A page of a list of models that is ordered by id, the highest first. */
export interface PageById {
  limit: number;
  offset: number;
  /** The last row of the previous page; null = the first page, or by `offset`. */
  afterId: string | null;
}

/** The page as arguments of `findMany`. */
export const newestById = ({ limit, offset, afterId }: PageById) => ({
  take: limit,
  skip: offset,
  ...(afterId !== null && { where: { id: { lt: afterId } } }),
});
