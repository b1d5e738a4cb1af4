import type { Command } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { claim, enqueue, newJob } from '@spooled/testing';
import { JobEngine } from '../engine/job-engine.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import type { SettledWorkflows } from './answers.js';
import { type Effects, EffectsBuilder, isEmpty } from './effects.js';

describe('an engine whose events nobody receives', () => {
  const fixture = useEngine();

  it('makes none, and wakes waiting claims as any other', async () => {
    const effects: Effects[] = [];
    const engine = new JobEngine(fixture.db, { onEffects: (of) => effects.push(of), events: false });
    const org = await fixture.organization();
    const run = async (command: Command) => (await engine.execute([command]))[0];
    await run(enqueue(org, [newJob()]));
    const claimed = await run(claim(org));
    const [job] = (claimed as { value: { jobs: { id: string; leaseId: string }[] } }).value.jobs;
    expect(await run(workerCommands(org).complete(job!))).toMatchObject({ ok: true });
    expect(effects.flatMap(({ events }) => events)).toEqual([]);
    expect(effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    expect(await fixture.job(job!.id)).toMatchObject({ status: 'completed' });
  });
});

describe('the effects of a transaction', () => {
  const change = { from: 'pending', to: 'processing', at: '2030-01-01T00:00:00Z' } as const;
  const envelope = (id: string) => ({
    type: 'JobStatusChange',
    data: {
      ...{ job_id: id, queue_name: 'emails', timestamp: change.at },
      ...{ old_status: 'pending', new_status: 'processing', status: 'processing' },
    },
  });
  const job = (id: string) => ({ id, queue: 'emails' });
  const nothing: Effects = {
    events: [],
    deliveries: [],
    wakeups: [],
    spans: [],
    workflowChanges: [],
    cancelRequests: [],
  };

  it('are empty without any, and not with one of each kind', () => {
    expect(new EffectsBuilder().build()).toEqual(nothing);
    expect(isEmpty(nothing)).toBe(true);
    for (const kind of Object.keys(nothing))
      expect([kind, isEmpty({ ...nothing, [kind]: [{}] })]).toEqual([kind, false]);
  });

  it('have the events of each organization in their order, and each queue of each once', () => {
    const effects = new EffectsBuilder();
    for (const [org, id] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ] as const) {
      effects.statusChange(org, job(id), change);
      effects.wake(org, 'emails');
    }
    effects.wake('a', 'reports');
    expect(effects.build()).toEqual({
      ...nothing,
      events: [
        { organizationId: 'a', events: [envelope('1'), envelope('3')] },
        { organizationId: 'b', events: [envelope('2')] },
      ],
      wakeups: [
        { organizationId: 'a', queueName: 'emails' },
        { organizationId: 'b', queueName: 'emails' },
        { organizationId: 'a', queueName: 'reports' },
      ],
    });
  });

  it('ask the worker of a job to end it, and tell of it', () => {
    const effects = new EffectsBuilder();
    const lease = { organizationId: 'a', jobId: '1', leaseId: 'x' };
    effects.cancelRequested({ ...lease, queueName: 'emails', workerId: 'w1', reason: 'late', at: change.at });
    const data = { job_id: '1', queue_name: 'emails', worker_id: 'w1', reason: 'late', timestamp: change.at };
    expect(effects.build()).toEqual({
      ...nothing,
      events: [{ organizationId: 'a', events: [{ type: 'JobCancelRequested', data }] }],
      cancelRequests: [lease],
    });
  });

  it('without receivers of events have no event, and everything else', () => {
    const effects = new EffectsBuilder(false);
    effects.statusChange('a', job('1'), change);
    effects.workflowChange('a', 'flow', 'created');
    effects.deliver([{ id: 'd', organization: 'a' }]);
    expect(effects.build()).toEqual({
      ...nothing,
      deliveries: [{ id: 'd', organizationId: 'a' }],
      workflowChanges: [{ organizationId: 'a', workflowId: 'flow', change: 'created' }],
    });
  });

  type Change = SettledWorkflows['changes'][number];
  it.each<[from: string, to: Change['status'], events: [string, string][]]>([
    ['pending', 'running', [['WorkflowStarted', 'running']]],
    ['running', 'completed', [['WorkflowCompleted', 'completed']]],
    ['running', 'failed', [['WorkflowFailed', 'failed']]],
    ['failed', 'running', [['WorkflowStarted', 'running']]],
    // With its first job.
    [
      'pending',
      'completed',
      [
        ['WorkflowStarted', 'running'],
        ['WorkflowCompleted', 'completed'],
      ],
    ],
  ])(
    'tell of a workflow that was %s and is %s, with its deliveries and callback jobs',
    async (old_status, status, told) => {
      const counts = { total_jobs: 3, completed_jobs: 2, failed_jobs: 1 };
      const settled: SettledWorkflows = {
        deliveries: [{ id: 'd', organization: 'a' }],
        changes: [{ org: 'a', id: 'flow', name: 'nightly', status, old_status, ...counts }],
        callbacks: [{ id: '9', organization: 'b', queue: 'told', priority: 4 }],
        moment: change.at,
      };
      const effects = new EffectsBuilder();
      effects.workflows.workflow('a', 'flow');
      await effects.updateWorkflows({ one: () => Promise.resolve({ settled }) } as unknown as Transaction);
      const data = { workflow_id: 'flow', name: 'nightly', ...counts, timestamp: change.at };
      const created = { job_id: '9', queue_name: 'told', priority: 4, timestamp: change.at };
      expect(effects.build()).toEqual({
        ...nothing,
        events: [
          { organizationId: 'a', events: told.map(([type, of]) => ({ type, data: { ...data, status: of } })) },
          { organizationId: 'b', events: [{ type: 'JobCreated', data: created }] },
        ],
        deliveries: [{ id: 'd', organizationId: 'a' }],
        wakeups: [{ organizationId: 'b', queueName: 'told' }],
      });
    },
  );

  it('have the span of a job that has a trace', () => {
    const effects = new EffectsBuilder();
    const of = { name: 'attempt', organizationId: 'a', jobId: '1', queueName: 'emails', workerId: 'w1' } as const;
    const span = { ...of, startTime: change.at, endTime: change.at };
    effects.span({ ...span, traceparent: null });
    effects.span({ ...span, traceparent: '00-1-2-01' });
    expect(effects.build()).toEqual({ ...nothing, spans: [{ ...span, traceparent: '00-1-2-01' }] });
  });

  it.each<
    [from: 'processing' | 'deadletter', to: 'pending' | 'completed' | 'cancelled' | 'deadletter', touches: boolean]
  >([
    ['processing', 'cancelled', true],
    ['processing', 'deadletter', true],
    ['deadletter', 'pending', true],
    ['processing', 'pending', false],
    // Its workflow is known.
    ['processing', 'completed', false],
  ])('a change from %s to %s updates the workflow of the job: %s', async (from, to, touches) => {
    const effects = new EffectsBuilder();
    effects.statusChange('a', job('1'), { from, to, at: change.at });
    let batch: unknown = null;
    const one = (_: unknown, parameters: { batch: string }) => {
      batch = JSON.parse(parameters.batch);
      return Promise.resolve({ settled: { deliveries: [], changes: [], callbacks: [], moment: change.at } });
    };
    await effects.updateWorkflows({ one } as unknown as Transaction);
    expect(batch).toEqual(touches ? [{ org: 'a', jobs: ['1'], members: [], flows: [], cancel: [] }] : null);
  });
});
