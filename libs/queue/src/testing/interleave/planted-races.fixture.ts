import type { PlantedBug } from '../planted-bugs.fixture.js';

const lockOfChildren = `SELECT array_agg(child.job_id) INTO waiting FROM (
    SELECT q.job_id FROM job_queue q
    WHERE q.organization_id = org AND NOT q.dependencies_met
      AND q.job_id = ANY (ARRAY(SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (completed)))
    ORDER BY q.job_id FOR UPDATE
  ) AS child;`;

/** Locks that are left out or come too late: a caller alone notices none of them. */
export const plantedRaces: PlantedBug[] = [
  {
    name: 'two parents complete beside each other',
    file: 'dependencies/release_dependents_v1.sql',
    changes: [[lockOfChildren, lockOfChildren.replace('FOR UPDATE', '')]],
  },
  {
    name: 'a parent that lives is not locked for its child',
    file: 'dependencies/lock_parents_v1.sql',
    changes: [['ORDER BY q.job_id FOR UPDATE', 'ORDER BY q.job_id']],
  },
  {
    name: 'a child is created while its dead parent is retried',
    file: 'dependencies/lock_parents_v1.sql',
    changes: [['ORDER BY j.id FOR KEY SHARE', 'ORDER BY j.id']],
  },
  {
    name: 'a parent is not locked for a later edge',
    file: 'dependencies/add_dependencies_v1.sql',
    changes: [['PERFORM lock_parents_v1(org, array_remove(parents, job));', '']],
  },
  {
    name: 'edges are added beside each other',
    file: 'dependencies/add_dependencies_v1.sql',
    changes: [[`PERFORM pg_advisory_xact_lock(hashtextextended('dependencies:' || org, 0));`, '']],
  },
  {
    name: 'a claim locks nothing',
    file: 'claim/claim_jobs_v1.sql',
    changes: [['FOR UPDATE SKIP LOCKED', '']],
  },
  {
    name: 'claims do not take turns for places',
    file: 'claim/claim_jobs_v1.sql',
    changes: [[`PERFORM pg_advisory_xact_lock(hashtextextended('claim:' || org || ':' || queue, 0));`, '']],
  },
  {
    name: 'a failure does not lock its job',
    file: 'fail/lock_failed_jobs_v1.sql',
    changes: [['FOR UPDATE', '']],
  },
  {
    name: 'recovery does not lock leases',
    file: 'recover/lock_expired_leases_v1.sql',
    changes: [['FOR UPDATE SKIP LOCKED', '']],
  },
  {
    name: 'retries do not take turns',
    file: 'retry/requeue_jobs_v1.sql',
    changes: [
      [`PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));`, ''],
      ['PERFORM FROM jobs j WHERE j.id = ANY (found) ORDER BY j.id FOR UPDATE;', ''],
    ],
  },
];
