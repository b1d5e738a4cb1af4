import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from '@spooled/testing';
import type { ChaosSystem } from './chaos-system.js';
import { databaseFaults } from './database-faults.js';
import type { Fault } from './fault.js';

/** A statement that does to jobs of the organization ($1) what the queue must never do; again and again, until it has met so many. */
const plant = (name: string, most: number, statement: string): Fault => ({
  name,
  part: 'planted',
  endsByItself: true,
  inject: async ({ system, organizationId }) => {
    for (let met = 0; met < most; await sleep(100)) met += (await system.query(statement, [organizationId])).length;
    return async () => undefined;
  },
});

const lost = plant(
  'waiting jobs are deleted',
  3,
  `WITH gone AS (
     DELETE FROM job_queue WHERE job_id IN (
       SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'ready' LIMIT 1) RETURNING job_id)
   DELETE FROM jobs WHERE id IN (SELECT job_id FROM gone) RETURNING id`,
);
const shared = plant(
  'leased jobs are handed out again',
  20,
  // Those that were claimed last, for the next claim: their workers still have them then.
  `UPDATE job_queue SET state = 'ready', lease_id = NULL, lease_expires_at = NULL, worker_id = NULL, priority = 100
   WHERE job_id IN (
     SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'leased' ORDER BY lease_expires_at DESC LIMIT 2)
   RETURNING job_id`,
);

/** PostgreSQL acknowledges commits of new connections before they are on its disk, where they come only much later. */
const commitsAreVolatile = [
  `ALTER SYSTEM SET wal_writer_delay = '10s'`,
  'SELECT pg_reload_conf()',
  'ALTER DATABASE spooled SET synchronous_commit = off',
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE 'spooled%'`,
];
const killed = databaseFaults.find(({ name }) => name === 'PostgreSQL killed and restarted')!;

interface PlantedFault {
  name: string;
  fault: Fault;
  /** That must find it. */
  rule: Rule;
  /** Makes the system break its promise when the fault comes. */
  prepare?: (system: ChaosSystem) => Promise<void>;
}

export const plantedFaults: PlantedFault[] = [
  { name: 'a job that is lost', fault: lost, rule: 'nothingLost' },
  { name: 'a job that two workers have', fault: shared, rule: 'leasesDoNotOverlap' },
  // The last, because the system stays so.
  {
    name: 'a commit that is acknowledged before it is on disk',
    fault: killed,
    rule: 'nothingLost',
    prepare: async (system) => {
      for (const statement of commitsAreVolatile) await system.query(statement);
    },
  },
];
