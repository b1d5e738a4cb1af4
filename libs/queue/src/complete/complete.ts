import type { CommandOf, Completion, LeaseStore, Outcome, QueueScope } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { memberOf } from '../step/json-member.js';
import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../step/batch-step.js';
import type { DecidedDelivery, EffectsBuilder } from '../step/effects.js';
import { leaseItem } from '../step/lease-item.js';
import { type RefusalReason, refusalError } from '../step/lease-refusal.js';
import { findRenewedLeases, presentedLease } from '../step/renewed-leases.js';

type Completed = Outcome<'job.complete'>;

/** One completion, whichever command brought it. */
interface Item {
  organizationId: string;
  completion: Completion;
  queues: QueueScope;
  redelivered: boolean;
}

interface Done {
  c: number;
  id: string;
  queue: string;
  ms: number;
  started: string;
  trace: string | null;
  /** Its workflow. */
  flow: string | null;
  /** Its lease, where the lease store may know it. */
  lease: string | null;
}

/** Of one organization. */
interface Answer {
  org: string;
  now: string;
  done: Done[];
  refused: { c: number; why: RefusalReason; same: boolean }[];
  released: { id: string; queue: string }[];
  deliveries: DecidedDelivery[];
}

/** Accepts results from the holders of unexpired leases; at most one completion per lease. */
export const completeBatch =
  (leases?: LeaseStore): BatchStep<'job.complete'> =>
  (tx, commands, effects) => {
    const items = commands.map((command) => itemOf(command, command.body, command.body.queues));
    return completeItems(tx, items, effects, leases);
  };

/** As `completeBatch`, for commands of many jobs: all of them in the same statement. */
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

/** The same command as many of one job each, so that a job that PostgreSQL stumbles over fails alone. */
export const splitByJob = (command: CommandOf<'job.completeMany'>): CommandOf<'job.completeMany'>[] =>
  command.body.jobs.map((job) => ({ ...command, body: { ...command.body, jobs: [job] } }));

/** Undoes `jobsApart`. */
export const mergeOutcomes = (apart: Outcome<'job.completeMany'>[]): Outcome<'job.completeMany'> =>
  succeeded<'job.completeMany'>({ outcomes: apart.map((one) => (one.ok ? one.value.outcomes[0]! : one)) });

const itemOf = (
  { organizationId, redelivered = false }: { organizationId: string; redelivered?: boolean },
  completion: Completion,
  queues: QueueScope,
): Item => ({ organizationId, completion, queues, redelivered });

async function completeItems(
  tx: BatchTransaction,
  items: Item[],
  effects: EffectsBuilder,
  leases?: LeaseStore,
): Promise<Completed[]> {
  const outcomes: Completed[] = items.map(() => succeeded<'job.complete'>({ durationMs: null }));
  const answers = await completeRows(tx, items);
  for (const answer of answers) applyResult(answer, items, outcomes, effects);
  const refusals = answers.flatMap((answer) => answer.refused);
  const expired = refusals.flatMap(({ c: number, why }) => {
    const { organizationId, completion } = items[number]!;
    return why === 'lease' ? [{ number, lease: presentedLease(organizationId, completion) }] : [];
  });
  const living = await findRenewedLeases(leases, expired);
  if (living.size === 0) return outcomes;
  for (const answer of await completeRows(tx, items, living)) applyResult(answer, items, outcomes, effects);
  return outcomes;
}

/** With `living`: those alone, as leases that live beyond their rows. */
async function completeRows(tx: BatchTransaction, items: Item[], living?: Map<number, string>): Promise<Answer[]> {
  const parts = inGroups(items, byOrganization).map(({ first, members }) => {
    const own = members.flatMap(({ command, number }) =>
      living && !living.has(number) ? [] : [itemJson(command, number, living?.get(number))],
    );
    return `{"org":"${first.organizationId}","items":[${own.join(',')}]}`;
  });
  const rows = await tx.query<{ answer: string }>('SELECT complete_jobs_v1($1) AS answer', [`[${parts.join(',')}]`]);
  return rows.map(({ answer }) => JSON.parse(answer) as Answer);
}

function applyResult(answer: Answer, items: Item[], outcomes: Completed[], effects: EffectsBuilder): void {
  for (const { c, why, same } of answer.refused) {
    // A command that the transport delivered twice finds its own work done.
    if (!(same && items[c]!.redelivered)) outcomes[c] = refused(refusalError(why));
  }
  for (const done of answer.done) {
    outcomes[done.c] = succeeded<'job.complete'>({ durationMs: done.ms });
    announce(items[done.c]!, done, answer.now, effects);
  }
  for (const { queue } of answer.released) effects.wake(answer.org, queue);
  effects.deliver(answer.deliveries);
}

function itemJson({ completion, queues }: Item, number: number, living?: string): string {
  const { result } = completion;
  const head = JSON.stringify(leaseItem({ ...completion, queues }, number, living));
  return result === null ? head : `${head.slice(0, -1)},${memberOf('r', result)}}`;
}

function announce({ organizationId, completion }: Item, done: Done, now: string, effects: EffectsBuilder): void {
  const { workerId, result } = completion;
  if (done.flow !== null) effects.workflows.workflow(organizationId, done.flow);
  if (done.lease !== null) effects.leases.ended({ organizationId, jobId: done.id, leaseId: done.lease });
  effects.event(organizationId, {
    type: 'JobCompleted',
    data: {
      job_id: done.id,
      queue_name: done.queue,
      duration_ms: done.ms,
      ...(result === null ? {} : { result: JSON.parse(result) as unknown }),
      timestamp: now,
    },
  });
  effects.statusChange(organizationId, done, { from: 'processing', to: 'completed', at: now });
  effects.span({
    name: 'attempt',
    traceparent: done.trace,
    organizationId,
    jobId: done.id,
    queueName: done.queue,
    startTime: done.started,
    endTime: now,
    workerId,
  });
}
