import type { Job, Worker } from '@spooled/sdk';
import {
  asSuperuser,
  createTenant,
  createTestDatabase,
  eventually,
  type TestDatabase,
  type TestTenantOptions,
} from '@spooled/testing';
import type pg from 'pg';
import { type EmbeddedOptions, EmbeddedSpooled, type EmbeddedWorkerOptions } from './index.js';

export type Handlers = Parameters<EmbeddedSpooled['worker']>[0];

/** A database with its embedded processes, which `close` ends. */
export class EmbeddedFixture {
  private readonly opened = new Set<EmbeddedSpooled>();

  private constructor(readonly database: TestDatabase) {}

  static open = async (): Promise<EmbeddedFixture> => new EmbeddedFixture(await createTestDatabase());

  /** A new organization. */
  organization = async (options?: TestTenantOptions): Promise<string> =>
    (await createTenant(this.database.superuserUrl, options)).organizationId;

  /** An embedded process of an organization, by default of a new one. Without the periodic work, whose start costs more than most tests. */
  start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedSpooled> {
    return this.startWithMaintenance({ maintenance: false, ...options });
  }

  /** As an application does that says nothing about maintenance. */
  async startWithMaintenance(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedSpooled> {
    const spooled = await EmbeddedSpooled.open({
      databaseUrl: this.database.appUrl,
      systemUrl: this.database.systemUrl,
      ...options,
      organization: options.organization ?? (await this.organization()),
    });
    this.opened.add(spooled);
    return spooled;
  }

  /** Rows as the superuser sees them. */
  sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return asSuperuser<Row>(this.database.superuserUrl, text, values);
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened].map((spooled) => spooled.close(0)));
    await this.database.drop();
  }
}

const workers: Worker[] = [];

/** A started worker that polls often. */
export async function startWorker(spooled: EmbeddedSpooled, handlers: Handlers, options: EmbeddedWorkerOptions = {}) {
  const worker = spooled.worker(handlers, { pollIntervalMs: 50, ...options });
  workers.push(worker);
  await worker.start();
  return worker;
}

/** Stops the workers that a test has started, which poll until then. */
export async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
}

/** Waits until a job is as expected. */
export const endsAs = (spooled: EmbeddedSpooled, id: string, expected: Partial<Job>): Promise<void> =>
  eventually(async () => expect(await spooled.jobs.get(id)).toMatchObject(expected));
