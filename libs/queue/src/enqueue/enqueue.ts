import type { Command, CommandOf, CommandResult, EnqueueResult, JobQuota, NewJob, Outcome } from '@spooled/contracts';
import { quotaError, quotaRefusal, type Transaction } from '@spooled/data-access';
import { badRequest, SpooledError } from '@spooled/domain';
import { z } from 'zod';
import { cancelledJob, recordedDeliveries, releasedJob } from '../step/answers.js';
import { memberOf } from '../step/json-member.js';
import { byOrganization, inGroups, refused, succeeded } from '../step/batch-step.js';
import type { EffectsBuilder } from '../step/effects.js';
import { reportCascade } from '../step/record-deliveries.js';
import { enqueueJobs } from './enqueue-jobs.queries.js';
import type { EnqueuePartV1Record } from './enqueue_part_v1.queries.js';
import type { RequireParentsV1Record } from './require_parents_v1.queries.js';
import { recordInbound } from './record-inbound.js';
import { receiverError, receiverRefusal } from './receivers.js';
import type { RefusedReceiversV1Record } from './refused_receivers_v1.queries.js';
import type { LinkChildrenV1Record } from './link_children_v1.queries.js';

type Enqueue = CommandOf<'job.enqueue'>;

/** Result of `enqueue_jobs_v1`. */
const answerSchema = z.object({
  now: z.string(),
  hits: z.array(z.object({ number: z.number(), id: z.string() })),
  refused: z.array(
    z.discriminatedUnion('why', [
      quotaRefusal.extend({ command: z.number(), why: z.literal('quota') }),
      z.object({ command: z.number(), why: z.literal('parent') }),
      receiverRefusal.extend({ command: z.number() }),
    ]),
  ),
  /** Children whose parent has completed, and those whose parent has ended otherwise. */
  linked: z.array(
    z.object({ organization: z.string(), released: z.array(releasedJob), cancelled: z.array(cancelledJob) }),
  ),
  deliveries: recordedDeliveries,
});
type Answer = z.infer<typeof answerSchema>;

/** Origin of the batch's n-th job: a command and one of its jobs. */
interface JobOrigin {
  command: number;
  job: NewJob;
}

/** A command and its place in the batch. */
interface Member {
  command: Enqueue;
  number: number;
}

/** Inserts the jobs of many commands, and logs the inbound webhooks among them. */
export async function enqueueBatch(
  tx: Transaction,
  commands: Enqueue[],
  effects: EffectsBuilder,
): Promise<Outcome<'job.enqueue'>[]> {
  const outcomes = await enqueueAll(tx, commands, effects);
  await recordInbound(tx, commands, outcomes);
  return outcomes;
}

/** As `enqueueBatch`, for one command. @throws SpooledError its refusal; the transaction remains usable */
export async function enqueueOne(
  tx: Transaction,
  command: Enqueue,
  effects: EffectsBuilder,
): Promise<CommandResult<'job.enqueue'>> {
  const [outcome] = await enqueueBatch(tx, [command], effects);
  if (!outcome!.ok) throw SpooledError.fromShape(outcome!.error);
  return outcome!.value;
}

/** Inserts jobs in one statement (BX-10); commands with other defaults have a statement of their own. */
async function enqueueAll(
  tx: Transaction,
  commands: Enqueue[],
  effects: EffectsBuilder,
): Promise<Outcome<'job.enqueue'>[]> {
  // Nearly always one: gateways and webhooks of a deployment have the same settings.
  const groups = [...Map.groupBy(commands, defaultsOf).values()];
  if (groups.length === 1) return enqueueAlike(tx, commands, effects);
  const outcomes = new Map<Enqueue, Outcome<'job.enqueue'>>();
  for (const alike of groups) {
    const results = await enqueueAlike(tx, alike, effects);
    alike.forEach((command, i) => outcomes.set(command, results[i]!));
  }
  return commands.map((command) => outcomes.get(command)!);
}

const defaultsOf = ({ body: { defaults } }: Enqueue): string => `${defaults.maxRetries} ${defaults.timeoutSeconds}`;

/** Inserts the jobs of commands with the same defaults. */
async function enqueueAlike(
  tx: Transaction,
  commands: Enqueue[],
  effects: EffectsBuilder,
): Promise<Outcome<'job.enqueue'>[]> {
  const origins: JobOrigin[] = [];
  const parts: Member[][] = [];
  for (const { members } of inGroups(commands, byOrganization)) {
    const guarded = members.filter(({ command }) => isGuarded(command));
    const free = members.filter(({ command }) => !isGuarded(command));
    parts.push(...guarded.map((member) => [member]));
    if (free.length > 0) parts.push(free);
  }
  const row = await tx.one(enqueueJobs, {
    heads: JSON.stringify(parts.map(headOf)),
    lists: `[${parts.map((members) => jobsJson(members, origins)).join(',')}]`,
    ...commands[0]!.body.defaults,
  });
  const answer = answerSchema.parse(row.answer);
  const outcomes = report(commands, { origins, answer }, effects);
  await reportLinked(tx, answer, effects);
  return outcomes;
}

async function reportLinked(tx: Transaction, { linked, now }: Answer, effects: EffectsBuilder): Promise<void> {
  for (const { organization, released } of linked) for (const { queue } of released) effects.wake(organization, queue);
  const cancelled = linked.flatMap(({ organization, cancelled }) => cancelled.map((job) => ({ ...job, organization })));
  await reportCascade(tx, cancelled, now, effects);
}

/** Commands that may be refused run in a part of their own, so that a rollback affects no other command. */
function isGuarded({ body: { quota, jobs, batchId } }: Enqueue): boolean {
  return hasCaps(quota) || batchId !== undefined || jobs.some((job) => job.parentJobId !== null);
}

/** Only these may name their own receiver. */
export const hasSettings = ({ settings }: NewJob): boolean => settings !== undefined && settings !== null;

export const hasCaps = (quota: JobQuota): boolean =>
  quota.maxJobsPerDay !== null || quota.maxActiveJobs !== null || quota.maxQueues !== null;

/** Jobs of one part as a JSON array; their origins are added to `origins`. */
function jobsJson(members: Member[], origins: JobOrigin[]): string {
  const jobs: string[] = [];
  for (const { command, number } of members) {
    for (const job of command.body.jobs) {
      jobs.push(jobJson(job, { number: origins.length, command: number }, command));
      origins.push({ command: number, job });
    }
  }
  return `[${jobs.join(',')}]`;
}

function headOf(members: Member[]) {
  const [{ command: first, number }] = members as [Member];
  const jobs = members.flatMap(({ command }) => command.body.jobs);
  return {
    organization: first.organizationId,
    command: number,
    guarded: members.some(({ command }) => isGuarded(command)),
    redelivered: members.some(({ command }) => command.redelivered),
    keyed: jobs.some((job) => job.idempotencyKey !== null),
    parented: jobs.some((job) => job.parentJobId !== null),
    called: jobs.some(hasSettings),
    ...(hasCaps(first.body.quota) ? { quota: first.body.quota } : {}),
    ...(first.body.batchId === undefined ? {} : { batch: first.body.batchId }),
  };
}

/** What the functions read of a job, except the documents. */
type JobRecordHead = Omit<
  EnqueuePartV1Record & RequireParentsV1Record & LinkChildrenV1Record & RefusedReceiversV1Record,
  'payload' | 'payload_base64' | 'tags' | 'settings'
>;

/** Payload and tags are already JSON text and are spliced in unchanged: no second parse, no escaping. */
export function jobJson(
  job: Omit<NewJob, 'id'> & { id?: string },
  place: { number: number; command: number },
  { traceparent, actor }: Pick<Command, 'traceparent' | 'actor'>,
): string {
  const head = JSON.stringify({
    ...place,
    id: job.id,
    queue: job.queueName,
    job_type: job.jobType,
    priority: job.priority,
    max_retries: job.maxRetries ?? undefined,
    timeout_seconds: job.timeoutSeconds ?? undefined,
    scheduled_at: job.scheduledAt ?? undefined,
    expires_at: job.expiresAt ?? undefined,
    idempotency_key: job.idempotencyKey ?? undefined,
    parent_job_id: job.parentJobId ?? undefined,
    completion_webhook: job.completionWebhook ?? undefined,
    completion_webhook_secret: job.completionWebhookSecret ?? undefined,
    traceparent: traceparent ?? undefined,
    created_by: actor ?? undefined,
  } satisfies JobRecordHead);
  const tags = job.tags === null ? '' : `,"tags":${job.tags}`;
  const settings = job.settings ? `,"settings":${job.settings}` : '';
  return `${head.slice(0, -1)}${tags}${settings},${memberOf('payload', job.payload)}}`;
}

function report(
  commands: Enqueue[],
  { origins, answer }: { origins: JobOrigin[]; answer: Answer },
  effects: EffectsBuilder,
): Outcome<'job.enqueue'>[] {
  const refusals = new Map(answer.refused.map((refusal) => [refusal.command, refusal]));
  const hits = new Map(answer.hits.map(({ number, id }) => [number, id]));
  const results: EnqueueResult[][] = commands.map(() => []);
  origins.forEach(({ command, job }, number) => {
    const existing = hits.get(number);
    results[command]!.push(existing ? { jobId: existing, created: false } : { jobId: job.id, created: true });
    if (existing || refusals.has(command)) return;
    const blocked = job.parentJobId !== null;
    emitJobCreated(commands[command]!.organizationId, job, { now: answer.now, blocked }, effects);
  });
  effects.deliver(answer.deliveries);
  return commands.map((command, number) => {
    const refusal = refusals.get(number);
    if (!refusal) return succeeded<'job.enqueue'>({ jobs: results[number]! });
    if (refusal.why === 'parent') return refused(badRequest('parent_job_id: no such job in this queue'));
    if (refusal.why === 'receiver') return refused(receiverError(refusal, pathOf(refusal, origins, command)));
    return refused(quotaError(refusal, command.body.quota));
  });
}

/** Where the fields of a job are in its request. */
function pathOf({ number }: { number: number }, origins: JobOrigin[], { body: { jobs } }: Enqueue): string {
  return jobs.length === 1 ? '' : `jobs[${jobs.indexOf(origins[number]!.job)}].`;
}

/** Adds the event of a new job; wakes its queue unless the job is scheduled or blocked. */
export function emitJobCreated(
  organizationId: string,
  job: NewJob,
  { now, blocked }: { now: string; blocked: boolean },
  effects: EffectsBuilder,
): void {
  if (effects.wantsEvents) {
    effects.event(organizationId, {
      type: 'JobCreated',
      data: { job_id: job.id, queue_name: job.queueName, priority: job.priority, timestamp: now },
    });
  }
  const waits = job.scheduledAt !== null && Date.parse(job.scheduledAt) > Date.parse(now);
  if (!waits && !blocked) effects.wake(organizationId, job.queueName);
}
