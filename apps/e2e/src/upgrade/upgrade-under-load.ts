import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkHistory, createTenant, type Stack, startStack, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { type GatewayAddress, Gateways } from '../chaos/gateways.js';
import { finalStateOf } from '../failover/round.js';
import { RecordedLoad } from '../recorded-load.js';
import { type BurntAttempt, type PhaseRow, Phases } from './phases.js';

export interface Upgrade {
  /** Folders with the built services of both versions. */
  from: string;
  to: string;
  /** Empty. */
  database: TestDatabase;
}

/** Changes that are acknowledged in each phase, at least. */
const changes = 200;
const services = { gateways: 2, engines: 2, schedulers: 2 };
/** A gateway that stops takes requests until callers have had the time to see that it is not ready. */
const env = { SHUTDOWN_DRAIN_SECS: '2', SHUTDOWN_TIMEOUT_SECS: '20' };
const stopWithinMs = 60_000;

/**
 * Replaces all services of one version by those of another while a tenant works, as docs/operations.md tells operators: migrate, start
 * the newer ones beside the older ones, stop the older ones.
 *
 * @throws Error when something does not start, or crashes
 */
export async function upgradeUnderLoad({ from, to, database }: Upgrade): Promise<PhaseRow[]> {
  await migrateWith(from, database);
  const older = await startStack({ ...services, root: from, database, env });
  try {
    const tenant = await createTenant(database.superuserUrl);
    let gateways = new Gateways(addressesOf(older));
    const load = new RecordedLoad({
      nextGateway: () => gateways.next(),
      apiKey: tenant.key,
      organizationId: tenant.organizationId,
    });
    let newer: Stack | undefined;
    const phases = new Phases(load);
    const phase = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      phases.begin(name);
      await act();
      await load.untilAcknowledged(changes);
    };
    try {
      await phase('older services', () => Promise.resolve());
      await phase('older services, migrated', () => migrateWith(to, database));
      await phase('both beside each other', async () => {
        newer = await startStack({ ...services, root: to, beside: older, env });
        const olderGateways = gateways;
        gateways = new Gateways([...addressesOf(older), ...addressesOf(newer)]);
        olderGateways.close();
        await load.untilAcknowledged(changes);
      });
      await phase('older services stop', () => older.stopServices(stopWithinMs));
      await phase('newer services', () => Promise.resolve());
      await load.settle();
      const violations = checkHistory(
        load.history.calls,
        await finalStateOf(database.superuserUrl, tenant.organizationId),
        { callersGiveUp: true },
      );
      requireNoCrash(older, newer!);
      return phases.rows(violations, await burntAttempts(database.superuserUrl, tenant.organizationId));
    } finally {
      gateways.close();
      await load.settle(0);
      await newer?.stop();
    }
  } finally {
    await older.stop();
  }
}

/** The migration program of a version, as its image runs it. @throws Error with its log */
async function migrateWith(root: string, { ownerUrl }: TestDatabase): Promise<void> {
  const env = { ...process.env, DATABASE_DIRECT_URL: ownerUrl };
  try {
    await promisify(execFile)(process.execPath, ['dist/migrate/main.js'], { cwd: root, env });
  } catch (error) {
    throw new Error(`The migration failed:\n${(error as { stdout: string }).stdout}`, { cause: error });
  }
}

const addressesOf = (stack: Stack): GatewayAddress[] =>
  stack.baseUrls.map((url, index) => ({ url, readyUrl: `${stack.metricsUrl('gateway', index)}/health/ready` }));

function requireNoCrash(...stacks: Stack[]): void {
  const crashed = stacks.flatMap((stack) => stack.crashed);
  if (crashed.length > 0) throw new Error(`Services crashed: ${crashed.join(', ')}`);
}

async function burntAttempts(superuserUrl: string, organizationId: string): Promise<BurntAttempt[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<BurntAttempt>(
      `SELECT job_id AS job, event, (extract(epoch FROM at) * 1000)::float8 AS at FROM job_history
       WHERE organization_id = $1 AND event IN ('lease_expired', 'worker_lost', 'timeout')`,
      [organizationId],
    );
    return rows;
  } finally {
    await client.end();
  }
}
