import { setTimeout as sleep } from 'node:timers/promises';
import { fillFinished } from '../fill/fill-jobs.js';
import { cycles, steadyTraffic, trafficOf } from '../load/traffic.js';
import type { Window } from '../measure/window.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { createTenants } from '../stack/tenants.js';

const rowsByDefault = 1_000_000;
const minutesByDefault = 10;
const tenants = 10;
const loops = 2;
const jobsPerSecond = 30;
/** The free plan keeps finished jobs for three days. */
const retentionDays = 3;
const days = { youngest: retentionDays + 1, oldest: retentionDays + 13 };
const checkEveryMs = 1_000;
const bulkPrefix = 'bulk ';
const counted = `${bulkPrefix}cycle`;

export const retention: Scenario = {
  name: 'retention',
  what: 'steady traffic and cycles, first alone, then while the scheduler deletes old jobs of other tenants',
  onDemand: true,
  settings: ({ rows, minutes, payloadBytes }) => ({
    'old jobs': rows ?? rowsByDefault,
    'of tenants': tenants,
    'minutes at most': minutes ?? minutesByDefault,
    'payload bytes': payloadBytes,
    'jobs a second': jobsPerSecond,
    'cycle loops': loops,
  }),
  async run(bench) {
    const { stack, options, compare } = bench;
    const rows = options.rows ?? rowsByDefault;
    const before = await measureBoth(bench, 'before', options.seconds * 2);
    const organizations = (await createTenants(stack, tenants, 'free')).map(({ organizationId }) => organizationId);
    // The scheduler must not delete them before the measurement; it starts to right after its restart.
    await stack.stopService('scheduler');
    await fillFinished(bench, { rows, organizations, days });
    await stack.restartService('scheduler');
    const during = await measureBoth(
      bench,
      'while deleting',
      (options.minutes ?? minutesByDefault) * 60,
      async (window) => {
        const startedAt = performance.now();
        await untilDeleted(bench, organizations, window);
        const seconds = (performance.now() - startedAt) / 1_000;
        const deleted = rows - (await countLeft(bench, organizations));
        window.figure('deleted', deleted, counted);
        window.figure('deleted per s', deleted / seconds, counted);
        // Traffic after the last delete must not be counted.
        window.close();
      },
    );
    compare(before, during);
  },
};

function measureBoth(
  bench: BenchRun,
  name: string,
  seconds: number,
  concurrent: (window: Window) => Promise<void> = async () => undefined,
): Promise<StepReport> {
  return bench.measure({ name, seconds, operationsIn: counted }, async (window) => {
    const [steady, busy] = [trafficOf(bench, 'bench-steady'), trafficOf(bench, 'bench-busy', bulkPrefix)];
    await Promise.all([steadyTraffic(window, steady, jobsPerSecond), cycles(window, busy, loops), concurrent(window)]);
  });
}

async function untilDeleted(bench: BenchRun, organizations: string[], window: Window): Promise<void> {
  while (!window.over && (await hasJobs(bench, organizations))) {
    await sleep(checkEveryMs, undefined, { signal: window.signal }).catch(() => undefined);
  }
}

/** One index lookup per organization: counting all rows would add load. */
async function hasJobs({ stack }: BenchRun, organizations: string[]): Promise<boolean> {
  const { rows } = await stack.superuser.query(
    'SELECT FROM unnest($1::uuid[]) AS o WHERE EXISTS (SELECT FROM jobs WHERE organization_id = o) LIMIT 1',
    [organizations],
  );
  return rows.length > 0;
}

const countLeft = ({ stack }: BenchRun, organizations: string[]): Promise<number> =>
  stack.number('SELECT count(*) FROM jobs WHERE organization_id = ANY ($1)', [organizations]);
