import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from '@spooled/testing';
import { ChaosSystem } from './chaos-system.js';
import { databaseFaults } from './database-faults.js';
import type { Fault } from './fault.js';
import { runFaults } from './run-faults.js';
import { buildWorker } from './worker-processes.js';

/** A statement that does to jobs of the organization ($1) what the queue must never do; again and again, until it has met some. */
const plant = (name: string, statement: string): Fault => ({
  name,
  part: 'planted',
  endsByItself: true,
  inject: async ({ system, organizationId, seconds }) => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200))
      await system.query(statement, [organizationId]);
    return async () => undefined;
  },
});

const lost = plant(
  'waiting jobs are deleted',
  `WITH gone AS (
     DELETE FROM job_queue WHERE job_id IN (
       SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'ready' LIMIT 1) RETURNING job_id)
   DELETE FROM jobs WHERE id IN (SELECT job_id FROM gone)`,
);
const shared = plant(
  'leased jobs are handed out again',
  // Those that were claimed last, for the next claim: their workers still have them then.
  `UPDATE job_queue SET state = 'ready', lease_id = NULL, lease_expires_at = NULL, worker_id = NULL, priority = 100
   WHERE job_id IN (
     SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'leased' ORDER BY lease_expires_at DESC LIMIT 2)`,
);
const killed = databaseFaults.find(({ name }) => name === 'PostgreSQL killed and restarted')!;

/** Runs like those of `npm run chaos`, of a system that breaks its promises. */
describe('planted faults', () => {
  let system: ChaosSystem;
  let worker: { remove(): void };

  beforeAll(async () => {
    worker = buildWorker();
    system = await ChaosSystem.start({ durable: false });
  }, 180_000);
  afterAll(async () => {
    await system?.close();
    worker?.remove();
  }, 60_000);

  const cases: [string, Fault, Rule][] = [
    ['a commit that is acknowledged before it is on disk', killed, 'nothingLost'],
    ['a job that is lost', lost, 'nothingLost'],
    ['a job that two workers have', shared, 'leasesDoNotOverlap'],
  ];
  it.each(cases)(
    'BX-08 are found: %s',
    async (_, fault, rule) => {
      const { violations } = await runFaults(system, [fault], { seed: 1, seconds: 2 });
      expect(violations.map((violation) => violation.rule)).toContain(rule);
    },
    180_000,
  );
});
