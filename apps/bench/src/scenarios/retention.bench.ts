import { setTimeout as sleep } from 'node:timers/promises';
import { fillFinished } from '../fill/fill-jobs.js';
import { cycles, lives } from '../load/traffic.js';
import type { Window } from '../measure/window.js';
import { compareSteps } from '../output/compare.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { createTenants } from '../stack/tenants.js';

const rowsByDefault = 1_000_000;
const minutesByDefault = 10;
const tenants = 10;
const loops = 2;
const livesPerSecond = 30;
/** The free plan keeps finished jobs for three days. */
const kept = 3;
const days = { youngest: kept + 1, oldest: kept + 13 };
const lookEveryMs = 1_000;
const bulkPrefix = 'bulk ';
const counted = `${bulkPrefix}cycle`;

export const retention: Scenario = {
  name: 'retention',
  what: 'steady traffic and cycles side by side, without and with the scheduler deleting old jobs of others meanwhile',
  onDemand: true,
  settings: ({ rows, minutes, payloadBytes }) => ({
    'old jobs': rows ?? rowsByDefault,
    'of tenants': tenants,
    'minutes at most': minutes ?? minutesByDefault,
    'payload bytes': payloadBytes,
    'lives a second': livesPerSecond,
    'cycle loops': loops,
  }),
  async run(bench) {
    const { stack, options, say } = bench;
    const rows = options.rows ?? rowsByDefault;
    const before = await measureBoth(bench, 'before', options.seconds * 2);
    const organizations = (await createTenants(stack, tenants, 'free')).map(({ organizationId }) => organizationId);
    // The scheduler's first round after its start is due at once; until then it must not find them.
    await stack.halt('scheduler');
    await fillFinished(bench, { rows, organizations, days });
    await stack.restart('scheduler');
    const during = await measureBoth(
      bench,
      'while deleting',
      (options.minutes ?? minutesByDefault) * 60,
      async (window) => {
        const startedAt = performance.now();
        await untilGone(bench, organizations, window);
        const seconds = (performance.now() - startedAt) / 1_000;
        const deleted = rows - (await countLeft(bench, organizations));
        window.figure('deleted', deleted, counted);
        window.figure('deleted per s', deleted / seconds, counted);
        // No traffic over empty tables is counted as traffic beside deletes.
        window.close();
      },
    );
    for (const line of compareSteps(before, during)) say(line);
  },
};

function measureBoth(
  { stack, options, measure }: BenchRun,
  name: string,
  seconds: number,
  beside: (window: Window) => Promise<void> = async () => undefined,
): Promise<StepReport> {
  const { apiKey, baseUrl } = stack;
  const { payloadBytes } = options;
  return measure({ name, seconds, operationsIn: counted }, async (window) => {
    const steady = { baseUrl, payloadBytes, next: () => ({ apiKey, queue: 'bench-steady' }) };
    const busy = { baseUrl, payloadBytes, next: () => ({ apiKey, queue: 'bench-busy' }), prefix: bulkPrefix };
    await Promise.all([lives(window, steady, livesPerSecond), cycles(window, busy, loops), beside(window)]);
  });
}

async function untilGone(bench: BenchRun, organizations: string[], window: Window): Promise<void> {
  while (!window.over && (await areSomeLeft(bench, organizations))) {
    await sleep(lookEveryMs, undefined, { signal: window.signal }).catch(() => undefined);
  }
}

/** One look into the index for each: counting would be a load of its own. */
async function areSomeLeft({ stack }: BenchRun, organizations: string[]): Promise<boolean> {
  const { rows } = await stack.superuser.query(
    'SELECT FROM unnest($1::uuid[]) AS o WHERE EXISTS (SELECT FROM jobs WHERE organization_id = o) LIMIT 1',
    [organizations],
  );
  return rows.length > 0;
}

async function countLeft({ stack }: BenchRun, organizations: string[]): Promise<number> {
  const { rows } = await stack.superuser.query<{ count: string }>(
    'SELECT count(*) FROM jobs WHERE organization_id = ANY ($1)',
    [organizations],
  );
  return Number(rows[0]?.count);
}
