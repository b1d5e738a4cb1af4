import type { CommandOf, Completion, LeaseStore, Outcome, QueueScope } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { recordedDeliveries, releasedJob } from '../step/answers.js';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import type { EffectsBuilder } from '../step/effects.js';
import { expiredIn, refusalError, refusalReasons } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import { completeJobs } from './complete-jobs.queries.js';

type Completed = Outcome<'job.complete'>;

/** One completion of either command kind. */
interface CompletionItem {
  organizationId: string;
  completion: Completion;
  queues: QueueScope;
  redelivered: boolean;
}

const textsOrNull = z.array(z.string().nullable()).nullable();

/** Completed jobs: a list in each member, as long as the first; null where all elements are. */
const completedJobs = z.object({
  /** Index of the item. */
  number: z.array(z.number()),
  id: z.array(z.string()),
  queue: z.array(z.string()),
  duration_ms: z.array(z.number()),
  started_at: z.array(z.string()),
  traceparent: textsOrNull,
  workflow: textsOrNull,
  /** Id of its lease if the lease store may hold it. */
  lease: textsOrNull,
});

/** Result of `complete_jobs_v1` for one organization. */
const answerSchema = z.object({
  organization: z.string(),
  now: z.string(),
  done: completedJobs,
  refused: z.array(z.object({ command: z.number(), why: z.enum(refusalReasons), same: z.boolean() })),
  released: z.array(releasedJob),
  /** Queues with a concurrency limit, in which waiting claims may get jobs now. */
  freed: z.array(z.string()),
  deliveries: recordedDeliveries,
});
type Answer = z.infer<typeof answerSchema>;

/** Accepts results from the holders of unexpired leases; at most one completion per lease. */
export const completeBatch =
  (leases?: LeaseStore) =>
  (tx: BatchTransaction, commands: CommandOf<'job.complete'>[], effects: EffectsBuilder): Promise<Completed[]> => {
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
  const parts = leaseParts(items, renewed, ({ completion, queues }, number, renewedLease) => ({
    ...{ number, renewedLease },
    ...{ completion, queues },
  }));
  const all = parts.flatMap((part) => part.items);
  const rows = await tx.run(completeJobs, {
    organizations: parts.map(({ organization }) => organization),
    counts: parts.map((part) => part.items.length),
    numbers: all.map(({ number }) => number),
    ids: all.map(({ completion }) => completion.jobId),
    workers: all.map(({ completion }) => completion.workerId),
    leases: all.map(({ completion, renewedLease }) => renewedLease ?? completion.leaseId) as string[],
    scopes: unlessAllNull(all.map(({ queues }) => queues && JSON.stringify(queues))),
    renewed: renewed ? all.map(() => true) : null,
    results: all.every(({ completion }) => completion.result === null) ? null : listOf(all),
  });
  return rows.map(({ answer }) => answerSchema.parse(JSON.parse(answer)));
}

/** The results as one JSON array; they are JSON text already. */
const listOf = (all: { completion: Completion }[]): string =>
  `[${all.map(({ completion }) => completion.result ?? 'null').join(',')}]`;

/** Null stands for a list of nulls. The generated types do not know that elements may be null. */
const unlessAllNull = (values: (string | null)[]): string[] | null =>
  values.every((value) => value === null) ? null : (values as string[]);

function applyResult(answer: Answer, items: CompletionItem[], outcomes: Completed[], effects: EffectsBuilder): void {
  for (const { command, why, same } of answer.refused) {
    // A redelivered command that had already succeeded.
    if (!(same && items[command]!.redelivered)) outcomes[command] = refused(refusalError(why));
  }
  const { done } = answer;
  done.number.forEach((number, i) => {
    outcomes[number] = succeeded<'job.complete'>({ durationMs: done.duration_ms[i]! });
    addEffects(items[number]!, completedJob(done, i), answer.now, effects);
  });
  for (const { queue } of answer.released) effects.wake(answer.organization, queue);
  for (const queue of answer.freed) effects.wake(answer.organization, queue);
  effects.deliver(answer.deliveries);
}

const completedJob = (done: Answer['done'], i: number) => ({
  id: done.id[i]!,
  queue: done.queue[i]!,
  durationMs: done.duration_ms[i]!,
  startedAt: done.started_at[i]!,
  traceparent: done.traceparent?.[i] ?? null,
  workflow: done.workflow?.[i] ?? null,
  lease: done.lease?.[i] ?? null,
});

function addEffects(
  { organizationId, completion }: CompletionItem,
  done: ReturnType<typeof completedJob>,
  now: string,
  effects: EffectsBuilder,
): void {
  const { workerId, result } = completion;
  effects.durations.push({ organizationId, queueName: done.queue, ms: { run: done.durationMs } });
  if (done.workflow !== null) effects.workflows.member(organizationId, done.workflow, done.id);
  if (done.lease !== null) effects.leases.ended({ organizationId, jobId: done.id, leaseId: done.lease });
  if (effects.wantsEvents) {
    effects.event(organizationId, {
      type: 'JobCompleted',
      data: {
        job_id: done.id,
        queue_name: done.queue,
        duration_ms: done.durationMs,
        ...(result === null ? {} : { result }),
        timestamp: now,
      },
    });
    effects.statusChange(organizationId, done, { from: 'processing', to: 'completed', at: now });
  }
  effects.span({
    name: 'attempt',
    traceparent: done.traceparent,
    organizationId,
    jobId: done.id,
    queueName: done.queue,
    startTime: done.startedAt,
    endTime: now,
    workerId,
  });
}
