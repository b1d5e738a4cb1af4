import { type JobStatus, jobStatuses, mayMove, SpooledError } from '@spooled/domain';
import { claim, command, enqueue, fromNow, newJob, unlimited } from '@spooled/testing';
import { workerCommands, useEngine } from './job-lifecycle.fixture.js';
import { TestWorkflow } from './workflow-steps.fixture.js';

/** A job of a new organization; the only step of a workflow unless it is scheduled. */
interface Subject {
  org: string;
  id: string;
  retryWorkflow: (fromJob?: string) => Promise<unknown>;
}

const fixture = useEngine();

/** All actions that may change the status of a job. */
const actions: Record<string, (subject: Subject) => Promise<unknown>> = {
  activate: () => fixture.maintenance.activateDue(100),
  claim: ({ org }) => fixture.run(claim(org)),
  complete: ({ org, id }) => fixture.run(workerCommands(org).complete({ id })),
  'fail with a retry': ({ org, id }) => fixture.run(workerCommands(org).fail({ id })),
  'fail without a retry': ({ org, id }) => fixture.run(workerCommands(org).fail({ id }, false)),
  cancel: ({ org, id }) => fixture.run(command('job.cancel', org, { jobId: id, queues: null })),
  retry: ({ org, id }) => fixture.run(command('job.retry', org, { jobId: id, queues: null, quota: unlimited })),
  'retry its workflow': ({ retryWorkflow }) => retryWorkflow(),
  'retry its workflow from it': ({ retryWorkflow, id }) => retryWorkflow(id),
};

const toScheduled = async (org: string): Promise<Subject> => {
  const job = newJob({ scheduledAt: fromNow(3600_000).toISOString() });
  await fixture.run(enqueue(org, [job]));
  await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
  return { org, id: job.id, retryWorkflow: () => Promise.resolve() };
};

/** The actions that lead from pending to this status. */
const path: Record<Exclude<JobStatus, 'scheduled'>, string[]> = {
  pending: [],
  processing: ['claim'],
  completed: ['claim', 'complete'],
  failed: ['claim', 'fail without a retry'],
  deadletter: ['claim', 'fail without a retry'],
  cancelled: ['cancel'],
};

async function subjectIn(status: JobStatus): Promise<Subject> {
  const org = await fixture.organization();
  if (status === 'scheduled') return toScheduled(org);
  const flow = await TestWorkflow.create(fixture, org, { step: { maxRetries: 1 } });
  const subject = { org, id: flow.ids.step!, retryWorkflow: (fromJob?: string) => flow.retry(fromJob) };
  for (const action of path[status]) await actions[action]!(subject);
  // No command leaves a job `failed`; imported records may be.
  if (status === 'failed') await fixture.sql(`UPDATE jobs SET outcome = 'failed' WHERE id = $1`, [subject.id]);
  return subject;
}

async function statusAfter(action: string, subject: Subject): Promise<JobStatus> {
  await actions[action]!(subject).catch((error: unknown) => {
    if (!(error instanceof SpooledError) || error.status >= 500) throw error;
  });
  return (await fixture.job(subject.id)).status as JobStatus;
}

it.each(jobStatuses)('SP-30 changes %s only to the statuses that the domain rules allow', async (from) => {
  const found = new Set<JobStatus>();
  for (const action of Object.keys(actions)) {
    const subject = await subjectIn(from);
    expect((await fixture.job(subject.id)).status).toBe(from);
    found.add(await statusAfter(action, subject));
  }
  found.delete(from);
  expect([...found].sort()).toEqual(jobStatuses.filter((to) => mayMove(from, to)).sort());
});
