import type { CommandOf, Completion, Outcome, QueueScope } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { memberOf } from '../engine/json-member.js';
import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../engine/batch-step.js';
import type { DecidedDelivery, EffectsBuilder } from '../engine/effects.js';
import { type RefusalReason, refusalError } from '../engine/lease-refusal.js';

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
export const completeBatch: BatchStep<'job.complete'> = (tx, commands, effects) =>
  completeItems(
    tx,
    commands.map((command) => itemOf(command, command.body, command.body.queues)),
    effects,
  );

/** As `completeBatch`, for commands of many jobs: all of them in the same statement. */
export const completeManyBatch: BatchStep<'job.completeMany'> = async (tx, commands, effects) => {
  const items = commands.flatMap((command) =>
    command.body.jobs.map((job) => itemOf(command, job, command.body.queues)),
  );
  const outcomes = await completeItems(tx, items, effects);
  let next = 0;
  return commands.map(({ body }) =>
    succeeded<'job.completeMany'>({
      outcomes: outcomes.slice(next, (next += body.jobs.length)),
    }),
  );
};

/** The same command as many of one job each, so that a job that PostgreSQL stumbles over fails alone. */
export const jobsApart = (command: CommandOf<'job.completeMany'>): CommandOf<'job.completeMany'>[] =>
  command.body.jobs.map((job) => ({ ...command, body: { ...command.body, jobs: [job] } }));

/** Undoes `jobsApart`. */
export const outcomeOfAll = (apart: Outcome<'job.completeMany'>[]): Outcome<'job.completeMany'> =>
  succeeded<'job.completeMany'>({ outcomes: apart.map((one) => (one.ok ? one.value.outcomes[0]! : one)) });

const itemOf = (
  { organizationId, redelivered = false }: { organizationId: string; redelivered?: boolean },
  completion: Completion,
  queues: QueueScope,
): Item => ({ organizationId, completion, queues, redelivered });

async function completeItems(tx: BatchTransaction, items: Item[], effects: EffectsBuilder): Promise<Completed[]> {
  const parts = inGroups(items, byOrganization).map(
    ({ first, members }) =>
      `{"org":"${first.organizationId}","items":[${members.map(({ command, number }) => itemJson(command, number)).join(',')}]}`,
  );
  const rows = await tx.query<{ answer: string }>('SELECT complete_jobs_v1($1) AS answer', [`[${parts.join(',')}]`]);
  const outcomes: Completed[] = items.map(() => succeeded<'job.complete'>({ durationMs: null }));
  for (const { answer } of rows) report(items, JSON.parse(answer) as Answer, outcomes, effects);
  return outcomes;
}

function report(items: Item[], answer: Answer, outcomes: Completed[], effects: EffectsBuilder): void {
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

function itemJson({ completion, queues }: Item, number: number): string {
  const { jobId, workerId, leaseId, result } = completion;
  const head = JSON.stringify({ c: number, id: jobId, w: workerId, l: leaseId ?? undefined, s: queues ?? undefined });
  return result === null ? head : `${head.slice(0, -1)},${memberOf('r', result)}}`;
}

function announce({ organizationId, completion }: Item, done: Done, now: string, effects: EffectsBuilder): void {
  const { workerId, result } = completion;
  if (done.flow !== null) effects.workflows.workflow(organizationId, done.flow);
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
