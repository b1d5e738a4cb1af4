import type { Command } from '@spooled/contracts';
import {
  type Database,
  deleteExpiredRecords,
  deleteOldSeries,
  findDueSchedules,
  findOverdueDeliveries,
  firstOrganization,
  markStaleWorkers,
  type RetainedRecord,
} from '@spooled/data-access';
import type { JobEngine, Maintenance } from '@spooled/queue';
import { claim } from '@spooled/testing';
import type { RowKind } from './table-rows.fixture.js';

/** Rows of each organization that are due. */
export const due = 20;
export const limit = 1000;
const retentionDays = 30;
const daySeconds = 86_400;
/** Of both organizations. */
const schedules = 1000;

/** Rows of each organization that are not due, about 70,000 in all, by their times. */
export const notDue: [RowKind, count: number, time: string][] = [
  ['ready', 2500, '0'],
  ['scheduled', 2500, '1 day'],
  ['leased', 2500, '1 day'],
  ['blocked', 2500, '0'],
  ['expiring', 1000, '1 day'],
  ['completedJobs', 2500, '-1 day'],
  ['deadLetters', 2500, '-1 day'],
  // Older than the retention of jobs, and kept: they became dead letters today.
  ['lateDeadLetters', 2500, '-35 days'],
  ['jobStats', 2500, '0'],
  ['deliveries', 2500, '-1 day'],
  ['pendingDeliveries', 1000, '1 day'],
  ['inboundDeliveries', 1000, '-1 day'],
  ['inboundRefusals', 1000, '-1 day'],
  ['workflows', 1000, '-1 day'],
  ['batchMembers', 2500, '-1 day'],
  ['operationItems', 2500, '-1 day'],
  ['schedules', schedules / 2, '1 day'],
  ['scheduleRuns', 2500, '-1 day'],
  ['workers', 1000, '0'],
  ['offlineWorkers', 1000, '-1 day'],
  ['usageCounters', 1000, '-1 day'],
  ['queueSeries', 2500, '0'],
  ['commandLog', 2500, '0'],
  ['commandFences', 2500, '0'],
  ['deletedJobs', 2500, '0'],
];

export interface Task {
  /** What makes work for it. */
  makes?: [RowKind, time: string];
  /** Returns how much it has processed or found. */
  run(services: Services): Promise<number>;
  /** The index that names what is due; of a partition's index, the beginning of its columns. */
  index: RegExp;
  /** How many rows and index entries it may read for each due row, with everything that belongs to it. */
  most: number;
  /** What it may read besides, however much is due. */
  moreReads?: number;
}

export interface Services {
  db: Database;
  engine: JobEngine;
  maintenance: Maintenance;
  organizations: string[];
}

const retention = (
  kind: RetainedRecord,
  makes: RowKind,
  index: RegExp,
  { most = 6, time = '-40 days' } = {},
): Task => ({
  makes: [makes, time],
  run: ({ db, organizations }) => {
    const periods = organizations.map((organizationId) => ({ organizationId, days: retentionDays }));
    const batch = { limit, lookBackSeconds: daySeconds };
    return db.asSystem('retention', (tx) => deleteExpiredRecords(tx, kind, periods, batch));
  },
  index,
  most,
});

export const recovery: Record<string, Task> = {
  'activate due jobs': {
    makes: ['scheduled', '-1 minute'],
    run: ({ maintenance }) => maintenance.activateDue(limit),
    index: /^job_queue_due$/,
    most: 6,
  },
  'recover expired leases': {
    makes: ['leased', '-1 minute'],
    run: ({ maintenance }) => maintenance.recoverExpiredLeases(limit),
    index: /^job_queue_lease$/,
    most: 15,
  },
  'recover the jobs of offline workers': {
    makes: ['leasedByStaleWorker', '1 day'],
    run: ({ maintenance, organizations }) =>
      maintenance.recoverJobsOfWorkers(organizations.map((organizationId) => ({ organizationId, id: 'gone' }))),
    index: /^job_queue_leased$/,
    most: 15,
  },
  'cancel expired jobs': {
    makes: ['expiring', '-1 minute'],
    run: ({ maintenance }) => maintenance.expireJobs(limit),
    index: /^job_queue_expiry$/,
    most: 15,
  },
  'mark stale workers': {
    makes: ['workers', '-1 hour'],
    run: async ({ db }) => {
      const after = { degradedSeconds: 60, offlineSeconds: 120 };
      return (await db.asSystem('spec', (tx) => markStaleWorkers(tx, after, limit))).length;
    },
    index: /^workers_alive$/,
    most: 6,
  },
  'find overdue deliveries': {
    makes: ['pendingDeliveries', '-1 hour'],
    run: async ({ db }) => {
      const page = { bySeconds: 60, after: firstOrganization, organizations: 10, limit };
      return (await db.asSystem('spec', (tx) => findOverdueDeliveries(tx, page))).deliveries.length;
    },
    index: /^webhook_deliveries_due$/,
    most: 3,
  },
  'find due schedules': {
    makes: ['schedules', '-1 minute'],
    run: async ({ db }) => (await db.asSystem('spec', (tx) => findDueSchedules(tx, limit))).length,
    index: /^schedules_due$/,
    most: 6,
  },
};

export const cleanUp: Record<string, Task> = {
  'finished jobs': retention('finishedJobs', 'completedJobs', /^jobs_\w+_organization_id_created_at/, {
    most: 15,
    time: '-30 days -1 hour',
  }),
  'dead letters': retention('deadLetters', 'deadLetters', /^dead_letters_oldest_deaths$/, { most: 15 }),
  'history of jobs': retention('jobHistory', 'jobHistory', /^job_history_\w+_organization_id_job_id/),
  deliveries: retention('deliveries', 'deliveries', /^webhook_deliveries_oldest$/),
  'inbound deliveries': retention('inboundDeliveries', 'inboundDeliveries', /^inbound_deliveries_newest$/),
  'refused inbound webhooks': retention('inboundRefusals', 'inboundRefusals', /^inbound_refusals_newest$/),
  // Looks at each schedule, because runs are found by their schedule.
  'runs of schedules': {
    ...retention('scheduleRuns', 'scheduleRuns', /^schedule_runs_newest$/),
    moreReads: 2 * schedules,
  },
  'offline workers': retention('offlineWorkers', 'offlineWorkers', /^workers_organization$/),
  workflows: retention('workflows', 'workflows', /^workflows_newest$/, { most: 10 }),
  'counters of usage': retention('usageCounters', 'usageCounters', /^usage_counters_pkey$/),
  'counters of past hours': {
    makes: ['jobStats', '-3 days'],
    run: ({ maintenance }) => maintenance.mergeOldStats(limit),
    index: /^job_stats_oldest$/,
    most: 6,
  },
  series: {
    makes: ['queueSeries', '-2 hours'],
    run: ({ db }) => db.asSystem('spec', async (tx) => (await tx.one(deleteOldSeries, { limit })).deleted),
    index: /^queue_series_oldest$/,
    most: 6,
  },
  'results of commands': {
    makes: ['commandLog', '-1 day'],
    run: ({ maintenance }) => maintenance.deleteOldCommands(limit),
    index: /^command_log_oldest$/,
    most: 6,
  },
  'deleted jobs of commands': {
    makes: ['deletedJobs', '-1 day'],
    run: ({ maintenance }) => maintenance.deleteOldCommands(limit),
    index: /^deleted_jobs_oldest$/,
    most: 6,
  },
  'fences of commands': {
    makes: ['commandFences', '-1 day'],
    run: ({ maintenance }) => maintenance.deleteOldCommands(limit),
    index: /^command_fences_oldest$/,
    most: 6,
  },
};

export const claims: Record<string, Task> = {
  'claim jobs': {
    run: async ({ engine, organizations }) => {
      const commands = organizations.map((org) => claim(org, { limit: due }));
      const outcomes = await engine.execute(commands as Command[]);
      return outcomes.reduce((sum, each) => sum + (each.ok ? (each.value as { jobs: unknown[] }).jobs.length : 0), 0);
    },
    index: /^job_queue_claim$/,
    most: 15,
  },
};
