import type { CommandOf, Outcome } from '@spooled/contracts';
import { memberOf } from '../engine/json-member.js';
import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../engine/batch-step.js';
import type { DecidedDelivery, EffectsBuilder } from '../engine/effects.js';
import { type RefusalReason, refusalError } from '../engine/lease-refusal.js';

type Complete = CommandOf<'job.complete'>;

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

interface Answer {
  now: string;
  done: Done[];
  refused: { c: number; why: RefusalReason; same: boolean }[];
  released: { id: string; queue: string; org: string }[];
  deliveries: DecidedDelivery[];
}

/** Accepts results from the holders of unexpired leases; at most one completion per lease. */
export const completeBatch: BatchStep<'job.complete'> = async (tx, commands, effects) => {
  const parts = inGroups(commands, byOrganization).map(
    ({ first, members }) =>
      `{"org":"${first.organizationId}","items":[${members.map(({ command, number }) => itemJson(command, number)).join(',')}]}`,
  );
  const [row] = await tx.query<{ answer: Answer }>('SELECT complete_jobs_v1($1) AS answer', [`[${parts.join(',')}]`]);
  const answer = row!.answer;
  const outcomes: Outcome<'job.complete'>[] = commands.map(() => succeeded<'job.complete'>({ durationMs: null }));
  for (const { c, why, same } of answer.refused) {
    // A command that the transport delivered twice finds its own work done.
    if (!(same && commands[c]!.redelivered)) outcomes[c] = refused(refusalError(why));
  }
  for (const done of answer.done) {
    outcomes[done.c] = succeeded<'job.complete'>({ durationMs: done.ms });
    announce(commands[done.c]!, done, answer.now, effects);
  }
  for (const { org, queue } of answer.released) effects.wake(org, queue);
  effects.deliver(answer.deliveries);
  return outcomes;
};

function itemJson({ body }: Complete, number: number): string {
  const head = JSON.stringify({
    c: number,
    id: body.jobId,
    w: body.workerId,
    l: body.leaseId ?? undefined,
    s: body.queues ?? undefined,
  });
  return body.result === null ? head : `${head.slice(0, -1)},${memberOf('r', body.result)}}`;
}

function announce(command: Complete, done: Done, now: string, effects: EffectsBuilder): void {
  const { organizationId, body } = command;
  if (done.flow !== null) effects.workflows.workflow(organizationId, done.flow);
  effects.event(organizationId, {
    type: 'JobCompleted',
    data: {
      job_id: done.id,
      queue_name: done.queue,
      duration_ms: done.ms,
      ...(body.result === null ? {} : { result: JSON.parse(body.result) as unknown }),
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
    workerId: body.workerId,
  });
}
