import type { CommandOf, Completion, LeaseStore, Outcome, QueueScope } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { recordedDeliveries, releasedJob } from '../step/answers.js';
import { memberOf } from '../step/json-member.js';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import type { EffectsBuilder } from '../step/effects.js';
import { leaseItem } from '../step/lease-item.js';
import { expiredIn, refusalError, refusalReasons } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import { completeJobs } from './complete-jobs.queries.js';
import type { CompletePartV2Record } from './complete_part_v2.queries.js';

type Completed = Outcome<'job.complete'>;

/** One completion of either command kind. */
interface CompletionItem {
  organizationId: string;
  completion: Completion;
  queues: QueueScope;
  redelivered: boolean;
}

const completedRow = z.object({
  command: z.number(),
  id: z.string(),
  queue: z.string(),
  duration_ms: z.number(),
  started_at: z.string(),
  traceparent: z.string().nullable(),
  workflow: z.string().nullable(),
  /** Id of its lease if the lease store may hold it. */
  lease: z.string().nullable(),
});

/** Result of `complete_jobs_v3` for one organization. */
const answerSchema = z.object({
  organization: z.string(),
  now: z.string(),
  done: z.array(completedRow),
  refused: z.array(z.object({ command: z.number(), why: z.enum(refusalReasons), same: z.boolean() })),
  released: z.array(releasedJob),
  /** Queues with a concurrency limit, in which waiting claims may get jobs now. */
  freed: z.array(z.string()),
  deliveries: recordedDeliveries,
});
type Answer = z.infer<typeof answerSchema>;

/** Accepts results from the holders of unexpired leases; at most one completion per lease. */
export const completeBatch =
  (leases?: LeaseStore): BatchStep<'job.complete'> =>
  (tx, commands, effects) => {
    const items = commands.map((command) => itemOf(command, command.body, command.body.queues));
    return completeItems(tx, items, effects, leases);
  };

/** As `completeBatch`, for commands with many jobs each: all of them in the same statement. */
export const completeManyBatch =
  (leases?: LeaseStore): BatchStep<'job.completeMany'> =>
  async (tx, commands, effects) => {
    const items = commands.flatMap((command) =>
      command.body.jobs.map((job) => itemOf(command, job, command.body.queues)),
    );
    const outcomes = await completeItems(tx, items, effects, leases);
    let next = 0;
    return commands.map(({ body }) =>
      succeeded<'job.completeMany'>({
        outcomes: outcomes.slice(next, (next += body.jobs.length)),
      }),
    );
  };

/** Splits a command into one per job, so that a job that PostgreSQL rejects fails alone. */
export const splitByJob = (command: CommandOf<'job.completeMany'>): CommandOf<'job.completeMany'>[] =>
  command.body.jobs.map((job) => ({ ...command, body: { ...command.body, jobs: [job] } }));

/** Merges the outcomes of `splitByJob`. */
export const mergeOutcomes = (parts: Outcome<'job.completeMany'>[]): Outcome<'job.completeMany'> =>
  succeeded<'job.completeMany'>({ outcomes: parts.map((one) => (one.ok ? one.value.outcomes[0]! : one)) });

const itemOf = (
  { organizationId, redelivered = false }: { organizationId: string; redelivered?: boolean },
  completion: Completion,
  queues: QueueScope,
): CompletionItem => ({ organizationId, completion, queues, redelivered });

async function completeItems(
  tx: BatchTransaction,
  items: CompletionItem[],
  effects: EffectsBuilder,
  leases?: LeaseStore,
): Promise<Completed[]> {
  const outcomes: Completed[] = items.map(() => succeeded<'job.complete'>({ durationMs: null }));
  const answers = await runOnLeases(leases, {
    run: (renewed) => completeRows(tx, items, renewed),
    expired: (answers) => answers.flatMap((answer) => expiredIn(answer.refused)),
    leaseOf: (number) => presentedLease(items[number]!.organizationId, items[number]!.completion),
  });
  for (const answer of answers) applyResult(answer, items, outcomes, effects);
  return outcomes;
}

async function completeRows(tx: BatchTransaction, items: CompletionItem[], renewed?: RenewedLeases): Promise<Answer[]> {
  const parts = leaseParts(items, renewed, itemJson);
  const rows = await tx.run(completeJobs, {
    organizations: parts.map(({ organization }) => organization),
    lists: `[${parts.map((part) => `[${part.items.join(',')}]`).join(',')}]`,
  });
  return rows.map(({ answer }) => answerSchema.parse(JSON.parse(answer)));
}

function applyResult(answer: Answer, items: CompletionItem[], outcomes: Completed[], effects: EffectsBuilder): void {
  for (const { command, why, same } of answer.refused) {
    // A redelivered command that had already succeeded.
    if (!(same && items[command]!.redelivered)) outcomes[command] = refused(refusalError(why));
  }
  for (const done of answer.done) {
    outcomes[done.command] = succeeded<'job.complete'>({ durationMs: done.duration_ms });
    addEffects(items[done.command]!, done, answer.now, effects);
  }
  for (const { queue } of answer.released) effects.wake(answer.organization, queue);
  for (const queue of answer.freed) effects.wake(answer.organization, queue);
  effects.deliver(answer.deliveries);
}

function itemJson({ completion, queues }: CompletionItem, number: number, renewedLease?: string): string {
  const { result } = completion;
  const item = leaseItem({ ...completion, queues }, number, renewedLease);
  const head = JSON.stringify(item satisfies Omit<CompletePartV2Record, 'result' | 'result_base64'>);
  return result === null ? head : `${head.slice(0, -1)},${memberOf('result', result)}}`;
}

function addEffects(
  { organizationId, completion }: CompletionItem,
  done: z.infer<typeof completedRow>,
  now: string,
  effects: EffectsBuilder,
): void {
  const { workerId, result } = completion;
  effects.durations.push({ organizationId, queueName: done.queue, ms: { run: done.duration_ms } });
  if (done.workflow !== null) effects.workflows.workflow(organizationId, done.workflow);
  if (done.lease !== null) effects.leases.ended({ organizationId, jobId: done.id, leaseId: done.lease });
  effects.event(organizationId, {
    type: 'JobCompleted',
    data: {
      job_id: done.id,
      queue_name: done.queue,
      duration_ms: done.duration_ms,
      ...(result === null ? {} : { result }),
      timestamp: now,
    },
  });
  effects.statusChange(organizationId, done, { from: 'processing', to: 'completed', at: now });
  effects.span({
    name: 'attempt',
    traceparent: done.traceparent,
    organizationId,
    jobId: done.id,
    queueName: done.queue,
    startTime: done.started_at,
    endTime: now,
    workerId,
  });
}
