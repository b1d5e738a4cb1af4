import { randomUUID } from 'node:crypto';
import type { CommandBody, CommandKind } from '@spooled/contracts';
import { enqueue, newJob, unlimited } from '@spooled/testing';
import type { Tenant } from './world.fixture.js';

/** A test case for one kind of command in which a second execution would be visible. */
interface RedeliveryCase<K extends CommandKind> {
  /** Creates the data that the command acts on, and the command's body. */
  prepare(tenant: Tenant): Promise<CommandBody<K>>;
  /** What the caller does after the response, before the delayed first execution continues. */
  afterwards?(tenant: Tenant): Promise<unknown>;
}

const workerOf = (tenant: Tenant): string => `w1-${tenant.organizationId}`;

const registration = (tenant: Tenant): CommandBody<'worker.register'> => ({
  workerId: workerOf(tenant),
  queueName: 'emails',
  hostname: 'host',
  workerType: null,
  maxConcurrency: 5,
  metadata: null,
  version: null,
  plan: 'enterprise',
  upgradeTo: null,
  maxWorkers: null,
  queues: null,
});

const deregister = async (tenant: Tenant) =>
  tenant.run('worker.deregister', {
    workerId: workerOf(tenant),
    queues: null,
    issuedAt: await tenant.world.now(),
  });

const deleteQueue = async (tenant: Tenant) =>
  tenant.run('queue.delete', { queueName: 'emails', deleteJobs: true, issuedAt: await tenant.world.now() });

/** Creates dead letters with these names, the oldest first. */
async function deadLetter(tenant: Tenant, ...names: string[]): Promise<void> {
  for (const name of names) {
    await tenant.enqueue(tenant.job(name));
    await tenant.claim();
    await tenant.deadLetter(name);
  }
}

function workflow(tenant: Tenant): CommandBody<'workflow.create'> {
  const first = tenant.job('first');
  const second = tenant.job('second');
  return {
    workflow: { id: newJob().id, name: 'flow', description: null, metadata: null },
    jobs: [
      { key: 'first', index: 0, job: first, dependsOn: [], mode: 'all' },
      { key: 'second', index: 1, job: second, dependsOn: [first.id], mode: 'all' },
    ],
    quota: unlimited,
    maxWorkflows: null,
    defaults: { maxRetries: 0, timeoutSeconds: 300 },
  };
}

/** An open batch. */
async function batch(tenant: Tenant): Promise<string> {
  const { id } = newJob();
  const defaults = { maxRetries: 0, timeoutSeconds: 300 };
  await tenant.run('batch.create', {
    batch: { id, name: null, metadata: null },
    callbacks: {},
    queues: null,
    quota: unlimited,
    maxOpenBatches: null,
    defaults,
  });
  return id;
}

const claimAs = (tenant: Tenant, workerId: string) =>
  tenant.run('job.claim', { queueName: 'emails', workerId, limit: 1, leaseSeconds: 30 });

/** A kind of command without a case does not compile. */
export const redeliveryCases: { [K in CommandKind]: RedeliveryCase<K> } = {
  'job.enqueue': {
    prepare: (tenant) => Promise.resolve(enqueue(tenant.organizationId, [tenant.job('a')]).body),
    afterwards: deleteQueue,
  },
  'job.claim': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'), tenant.job('b'), tenant.job('c'), tenant.job('d'));
      return { queueName: 'emails', workerId: 'w1', limit: 2, leaseSeconds: 30 };
    },
  },
  'job.complete': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { ...tenant.proof('a'), result: '1' };
    },
  },
  'job.completeMany': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'), tenant.job('b'));
      await tenant.claim(2);
      const jobs = ['a', 'b'].map((name) => ({ ...tenant.proof(name), result: '2' }));
      return { jobs, queues: null };
    },
  },
  'job.fail': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a', { maxRetries: 3 }));
      await tenant.claim();
      return { ...tenant.proof('a'), error: 'once', retry: true };
    },
    // The same worker has claimed the next attempt, also without sending a lease id.
    afterwards: async (tenant) => {
      await tenant.world.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [tenant.id('a')]);
      await tenant.claim();
    },
  },
  'job.renew': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { ...tenant.proof('a'), leaseSeconds: 60 };
    },
    afterwards: (tenant) => tenant.run('job.complete', { ...tenant.proof('a'), result: null }),
  },
  'job.progress': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { ...tenant.proof('a'), progress: 50, message: 'half' };
    },
    afterwards: (tenant) => tenant.run('job.complete', { ...tenant.proof('a'), result: null }),
  },
  'job.appendLogs': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      const lines = [{ number: 1, ageMs: 0, level: 'info' as const, message: 'charged', fields: null }];
      return { ...tenant.proof('a'), lines };
    },
    afterwards: (tenant) => tenant.run('job.complete', { ...tenant.proof('a'), result: null }),
  },
  'job.recordStep': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { ...tenant.proof('a'), step: 'charge', result: '1' };
    },
    afterwards: (tenant) => tenant.run('job.complete', { ...tenant.proof('a'), result: null }),
  },
  'job.wait': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { ...tenant.proof('a'), step: 'approval', waitFor: 'signal', waitMs: 60_000 };
    },
    // The next attempt waits no more.
    afterwards: async (tenant) => {
      await tenant.run('job.signal', { jobId: tenant.id('a'), step: 'approval', payload: '1', queues: null });
      await tenant.claim();
    },
  },
  'job.signal': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      await tenant.run('job.wait', { ...tenant.proof('a'), step: 'approval', waitFor: 'signal', waitMs: 60_000 });
      return { jobId: tenant.id('a'), step: 'approval', payload: '1', queues: null };
    },
    afterwards: (tenant) => tenant.claim(),
  },
  'job.release': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      const { jobs } = await claimAs(tenant, 'w1');
      return { leases: jobs.map(({ id, leaseId }) => ({ jobId: id, leaseId })) };
    },
    afterwards: (tenant) => tenant.claim(),
  },
  'job.cancel': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      return { jobId: tenant.id('a'), queues: null };
    },
  },
  'job.requestCancellation': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      await tenant.claim();
      return { jobId: tenant.id('a'), queues: null, reason: 'wrong', force: true, graceSeconds: null };
    },
  },
  'job.retry': {
    prepare: async (tenant) => {
      await deadLetter(tenant, 'a');
      return { jobId: tenant.id('a'), queues: null, quota: unlimited };
    },
    afterwards: async (tenant) => {
      await tenant.claim();
      await tenant.deadLetter('a');
    },
  },
  'job.addDependencies': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('parent', { queueName: 'other' }), tenant.job('a'));
      return { jobId: tenant.id('a'), dependsOn: [tenant.id('parent')], mode: null, queues: null };
    },
  },
  'job.prioritize': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('a'));
      return { jobId: tenant.id('a'), priority: 7, queues: null };
    },
    afterwards: (tenant) => tenant.run('job.prioritize', { jobId: tenant.id('a'), priority: 3, queues: null }),
  },
  'deadletter.retry': {
    prepare: async (tenant) => {
      await deadLetter(tenant, 'letter', 'letter');
      return { jobIds: null, queueName: null, limit: 1, quota: unlimited, maxWorkflows: null };
    },
  },
  'deadletter.purge': {
    prepare: async (tenant) => {
      // With the same name, because the locks of a stopped engine decide which one is purged.
      await deadLetter(tenant, 'letter', 'letter');
      return { jobIds: null, queueName: null, olderThan: null, limit: 1, issuedAt: await tenant.world.now() };
    },
  },
  'queue.delete': {
    prepare: async (tenant) => {
      await tenant.enqueue(tenant.job('old'));
      return { queueName: 'emails', deleteJobs: true, issuedAt: await tenant.world.now() };
    },
    afterwards: (tenant) => tenant.enqueue(tenant.job('new'), tenant.job('newer')),
  },
  'schedule.trigger': {
    prepare: async (tenant) => {
      const scheduleId = randomUUID();
      await tenant.world.sql(
        `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, is_active)
         VALUES ($1, $2, 'nightly', '0 3 * * *', 'emails', '{"name":"scheduled"}', false)`,
        [scheduleId, tenant.organizationId],
      );
      return { scheduleId, jobId: newJob().id, queues: null, quota: unlimited };
    },
    afterwards: deleteQueue,
  },
  'workflow.create': {
    prepare: (tenant) => Promise.resolve(workflow(tenant)),
    afterwards: deleteQueue,
  },
  'workflow.cancel': {
    prepare: async (tenant) => {
      const body = workflow(tenant);
      await tenant.run('workflow.create', body);
      return { workflowId: body.workflow.id, queues: null };
    },
  },
  'workflow.retry': {
    prepare: async (tenant) => {
      const body = workflow(tenant);
      await tenant.run('workflow.create', body);
      await tenant.claim();
      await tenant.deadLetter('first');
      return { workflowId: body.workflow.id, queues: null, quota: unlimited };
    },
    afterwards: async (tenant) => {
      await tenant.claim();
      await tenant.deadLetter('first');
    },
  },
  'batch.create': {
    prepare: (tenant) =>
      Promise.resolve({
        batch: { id: newJob().id, name: 'import', metadata: null },
        callbacks: { on_success: tenant.job('done') },
        queues: null,
        quota: unlimited,
        maxOpenBatches: 1,
        defaults: { maxRetries: 0, timeoutSeconds: 300 },
      }),
  },
  'batch.add': {
    prepare: async (tenant) => {
      const batchId = await batch(tenant);
      const more = { maxJobs: 10, quota: unlimited, queues: null, defaults: { maxRetries: 0, timeoutSeconds: 300 } };
      return { batchId, jobs: [tenant.job('a')], ...more };
    },
    afterwards: deleteQueue,
  },
  'batch.close': { prepare: async (tenant) => ({ batchId: await batch(tenant), queues: null }) },
  'batch.cancel': { prepare: async (tenant) => ({ batchId: await batch(tenant), queues: null }) },
  'worker.register': {
    prepare: (tenant) => Promise.resolve(registration(tenant)),
    afterwards: deregister,
  },
  'worker.heartbeat': {
    prepare: async (tenant) => {
      await tenant.run('worker.register', registration(tenant));
      const cap = { maxWorkers: null, plan: '', upgradeTo: null };
      return { workerId: workerOf(tenant), currentJobs: 4, status: null, metadata: null, queues: null, ...cap };
    },
    afterwards: deregister,
  },
  'worker.drain': {
    prepare: async (tenant) => {
      await tenant.run('worker.register', registration(tenant));
      return { workerId: workerOf(tenant), queues: null };
    },
    afterwards: deregister,
  },
  'worker.resume': {
    prepare: async (tenant) => {
      await tenant.run('worker.register', registration(tenant));
      await tenant.run('worker.drain', { workerId: workerOf(tenant), queues: null });
      return { workerId: workerOf(tenant), queues: null, maxWorkers: null, plan: '', upgradeTo: null };
    },
    afterwards: async (tenant) => {
      await tenant.run('worker.drain', { workerId: workerOf(tenant), queues: null });
    },
  },
  'worker.deregister': {
    prepare: async (tenant) => {
      await tenant.run('worker.register', registration(tenant));
      await tenant.enqueue(tenant.job('a'));
      await claimAs(tenant, workerOf(tenant));
      return { workerId: workerOf(tenant), queues: null, issuedAt: await tenant.world.now() };
    },
    afterwards: async (tenant) => {
      await tenant.run('worker.register', registration(tenant));
      await claimAs(tenant, workerOf(tenant));
    },
  },
};
