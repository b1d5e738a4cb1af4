import { checkHistory, createTenant, readFinalState, type Stack, type Violation } from '@spooled/testing';
import pg from 'pg';
import { percentile } from '../chaos/observation.js';
import { type LoadOptions, RecordedLoad } from '../recorded-load.js';

/** What happens to the system under load. */
export interface Fault {
  name: string;
  /** Begins it. Resolves when it has begun, or, if it is planned, when it has ended. */
  begin(organizationId: string): Promise<unknown>;
  /** Resolves when the next fault may begin. */
  heal(): Promise<unknown>;
}

/** One fault under load, and what callers saw of it. */
export interface Round {
  fault: string;
  organizationId: string;
  /** Calls that were recorded. */
  calls: number;
  acknowledged: number;
  /** The longest time without an acknowledged change after the fault began. */
  gapMs: number;
  /** Of the requests that succeeded. */
  p99Ms: number;
  /** Failed requests by kind; each was repeated. */
  errors: Record<string, number>;
  violations: Violation[];
}

/** Changes that are acknowledged before the fault begins, after it began, and after it has been healed. */
const changes = 100;

/** Works as a new tenant while the fault begins and is healed, ends all jobs, and judges what callers were told. */
export async function runRound(stack: Stack, fault: Fault, options?: LoadOptions): Promise<Round> {
  const { superuserUrl } = stack.databaseUrls;
  const { organizationId, key: apiKey } = await createTenant(superuserUrl);
  const load = new RecordedLoad({ nextGateway: inTurn(stack.baseUrls), apiKey, organizationId }, options);
  let began = 0;
  try {
    await load.untilAcknowledged(changes);
    began = performance.now();
    await fault.begin(organizationId);
    await load.untilAcknowledged(changes);
    await fault.heal();
    await load.untilAcknowledged(changes);
  } finally {
    await load.settle();
  }
  const { calls } = load.history;
  return {
    fault: fault.name,
    organizationId,
    calls: calls.length,
    acknowledged: load.acknowledged.length,
    gapMs: load.longestGap(began),
    p99Ms: Math.round(percentile(load.durations, 0.99) ?? 0),
    errors: Object.fromEntries(load.errors),
    violations: checkHistory(calls, await finalStateOf(superuserUrl, organizationId), { callersGiveUp: true }),
  };
}

function inTurn(urls: readonly string[]): () => string {
  let turn = 0;
  return () => urls[turn++ % urls.length]!;
}

/** What the database holds of a tenant, read as the superuser. */
export async function finalStateOf(superuserUrl: string, tenant: string) {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    return await readFinalState(
      async <Row extends object>(text: string, parameters?: unknown[]) =>
        (await client.query<Row>(text, parameters)).rows,
      [tenant],
    );
  } finally {
    await client.end();
  }
}
