import { type JobStatus, jobStatuses, mayMove, SpooledError } from '@spooled/domain';
import { claim, command, enqueue, newJob, unlimited } from '@spooled/testing';
import { EngineFixture, workerCommands } from './job-lifecycle.fixture.js';
import { TestWorkflow } from './workflow-steps.fixture.js';

/** One job of an organization of its own; the only step of a workflow unless it is scheduled. */
interface Subject {
  org: string;
  id: string;
  retryWorkflow: () => Promise<unknown>;
}

let bench: EngineFixture;
beforeAll(async () => (bench = await EngineFixture.open()));
afterAll(() => bench.close());

/** Everything that may change the status of a job. */
const actions: Record<string, (subject: Subject) => Promise<unknown>> = {
  activate: () => bench.maintenance.activateDue(100),
  claim: ({ org }) => bench.run(claim(org)),
  complete: ({ org, id }) => bench.run(workerCommands(org).complete({ id })),
  'fail with a retry': ({ org, id }) => bench.run(workerCommands(org).fail({ id })),
  'fail without a retry': ({ org, id }) => bench.run(workerCommands(org).fail({ id }, false)),
  cancel: ({ org, id }) => bench.run(command('job.cancel', org, { jobId: id, queues: null })),
  retry: ({ org, id }) => bench.run(command('job.retry', org, { jobId: id, queues: null, quota: unlimited })),
  'retry its workflow': ({ retryWorkflow }) => retryWorkflow(),
};

const toScheduled = async (org: string): Promise<Subject> => {
  const job = newJob({ scheduledAt: new Date(Date.now() + 3600_000).toISOString() });
  await bench.run(enqueue(org, [job]));
  await bench.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
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
  const org = await bench.organization();
  if (status === 'scheduled') return toScheduled(org);
  const flow = await TestWorkflow.create(bench, org, { step: { maxRetries: 1 } });
  const subject = { org, id: flow.ids.step!, retryWorkflow: () => flow.retry() };
  for (const action of path[status]) await actions[action]!(subject);
  // No command leaves a job `failed`; records from elsewhere may be.
  if (status === 'failed') await bench.sql(`UPDATE jobs SET outcome = 'failed' WHERE id = $1`, [subject.id]);
  return subject;
}

async function statusAfter(action: string, subject: Subject): Promise<JobStatus> {
  await actions[action]!(subject).catch((error: unknown) => {
    if (!(error instanceof SpooledError) || error.status >= 500) throw error;
  });
  return (await bench.job(subject.id)).status as JobStatus;
}

it.each(jobStatuses)('SP-30 leaves %s for exactly the statuses that the rules of the domain allow', async (from) => {
  const found = new Set<JobStatus>();
  for (const action of Object.keys(actions)) {
    const subject = await subjectIn(from);
    expect((await bench.job(subject.id)).status).toBe(from);
    found.add(await statusAfter(action, subject));
  }
  found.delete(from);
  expect([...found].sort()).toEqual(jobStatuses.filter((to) => mayMove(from, to)).sort());
});
