import { type explainSchemas, parseActor } from '@spooled/contracts';
import type { ExplainedJobRow, ParentRow } from '@spooled/data-access';
import type { ReceiverOutage } from '@spooled/transport';
import { blockingConditions, claimable, paused, unavailable } from '../conditions/queue-conditions.js';
import type { QueueFacts } from '../conditions/queue-facts.js';
import { startAfter } from '../conditions/throughput.js';
import { at, boundedBy, plural } from '../conditions/wording.js';

type Reason = explainSchemas.JobReason;
type Explanation = explainSchemas.JobExplanation;

/** What is known about a job that has not ended. */
export interface LiveJobFacts {
  job: ExplainedJobRow;
  queue: QueueFacts;
  /** Of the receiver that the job names itself. */
  ownOutage: ReceiverOutage | null;
  /** Claimable jobs before it; null unless it is claimable. */
  ahead: number | null;
  parents: ParentRow[];
  /** The first reasons of some of them, by id. */
  parentReasons: ReadonlyMap<string, ParentReason>;
  /** Whether the caller's key may see a queue. */
  mayUse(queueName: string): boolean;
  /** The end of the lease; Redis may have extended the row's. */
  leaseExpiresAt: string | null;
}

const maxParentsShown = 20;

export type ParentReason = Pick<Reason, 'code' | 'message'>;

/** Codes with which the start of the job cannot be predicted. */
const unpredictable: ReadonlySet<Reason['code']> = new Set([
  'queue_paused',
  'queue_deletion',
  'receiver_unavailable',
  'no_free_push_call',
  'no_workers',
  'no_claims',
]);

export function endedReason(job: ExplainedJobRow): Pick<Explanation, 'status' | 'since' | 'reasons'> {
  const outcome = job.outcome as 'completed' | 'failed' | 'cancelled' | 'deadletter';
  const since = job.completed_at ?? job.updated_at;
  if (outcome !== 'deadletter') {
    const message = `The job is ${outcome} since ${at(since)}.`;
    const reason: Reason = { code: 'finished', message, since, until: null, details: { outcome } };
    return { status: outcome, since, reasons: [reason] };
  }
  const attempts = job.retry_count + 1;
  const reason: Reason = {
    code: 'dead_letter',
    message: `The job is a dead letter since ${at(since)}: ${plural(attempts, 'attempt')} failed.`,
    since,
    until: null,
    details: { attempts, last_error: job.last_error },
  };
  return { status: 'deadletter', since, reasons: [reason] };
}

/** Why a job that has not ended waits, or what it does. */
export function explainLiveJob(
  facts: LiveJobFacts,
): Pick<Explanation, 'status' | 'since' | 'reasons' | 'position' | 'estimate'> {
  const { job } = facts;
  const state = { status: 'pending' as const, position: null, estimate: null };
  if (job.state === 'leased')
    return { ...state, status: 'processing', since: job.started_at, reasons: [...cancelRequest(job), running(facts)] };
  if (job.is_expired) return { ...state, status: statusOf(job), since: job.created_at, reasons: [expiry(job)] };
  if (!job.dependencies_met || job.is_waiting) return waitingJob(facts);
  return claimableJob(facts);
}

const statusOf = ({ state }: ExplainedJobRow) => (state === 'scheduled' ? 'scheduled' : 'pending');

/** A job that is not yet due only reports conditions that will still apply then. */
function waitingJob(facts: LiveJobFacts) {
  const { job, queue, ownOutage } = facts;
  const reasons: Reason[] = [];
  if (!job.dependencies_met) reasons.push(dependencies(facts));
  if (job.is_waiting && !isPostponed(job))
    reasons.push(job.state === 'retrying' ? backoff(job) : (step(job) ?? scheduled(job)));
  const own = ownReceiver(job, ownOutage);
  if (own) reasons.push(own);
  const lasting = [paused(queue), unavailable(queue)].filter((one) => one !== null);
  reasons.push(...lasting);
  if (job.expires_at) reasons.push(expiry(job));
  const isPredictable = job.dependencies_met && lasting.length === 0 && !own;
  return {
    status: statusOf(job),
    since: job.step_since ?? (job.state === 'retrying' ? job.started_at : job.created_at),
    reasons,
    position: null,
    estimate: isPredictable
      ? { starts_at: job.due_at!, basis: 'The time when it becomes claimable; it starts then at the earliest.' }
      : null,
  } satisfies ReturnType<typeof explainLiveJob>;
}

function claimableJob({ job, queue, ahead, ownOutage }: LiveJobFacts) {
  const reasons: Reason[] = blockingConditions(queue);
  const own = ownReceiver(job, ownOutage);
  if (own) reasons.push(own);
  const since = job.due_at ?? job.created_at;
  if (ahead !== null && ahead > 0) reasons.push(behind(ahead, since));
  if (reasons.length === 0) reasons.push(next(job, since));
  if (job.expires_at) reasons.push(expiry(job));
  const isPredictable = !reasons.some(({ code }) => unpredictable.has(code));
  return {
    status: statusOf(job),
    since,
    reasons,
    position: ahead,
    estimate: isPredictable ? startAfter(ahead ?? claimable(queue) - 1, queue) : null,
  } satisfies ReturnType<typeof explainLiveJob>;
}

/** It was claimed and released without a call: no attempt has failed, so it waits for its receiver. */
const isPostponed = (job: ExplainedJobRow): boolean => job.state === 'retrying' && job.retry_count === 0;

/** The receiver that the job names itself does not respond. */
function ownReceiver(job: ExplainedJobRow, outage: ReceiverOutage | null): Reason | null {
  if (outage) return unavailable({ outage }, 'The receiver that this job names');
  if (!isPostponed(job) || !job.is_waiting) return null;
  return {
    code: 'receiver_unavailable',
    message: `The receiver that this job names did not respond to other calls; the job may be called at ${at(job.due_at!)}.`,
    since: null,
    until: null,
    details: { next_call_at: job.due_at! },
  };
}

/** The worker ends the attempt, or its lease does. */
function cancelRequest(job: ExplainedJobRow): Reason[] {
  const { worker_id, cancel_requested_at: requestedAt, cancel_requested_by: by, cancel_reason: reason } = job;
  if (requestedAt === null) return [];
  const actor = parseActor(by);
  const whom = actor ? ` by ${actor.name ?? actor.kind}` : '';
  return [
    {
      code: 'cancel_requested',
      message: `It was cancelled${whom} at ${at(requestedAt)}; worker ${worker_id} has not answered.`,
      since: requestedAt,
      until: null,
      details: { worker_id, requested_at: requestedAt, requested_by: actor, reason },
    },
  ];
}

function running({ job, leaseExpiresAt }: LiveJobFacts): Reason {
  const [attempt, attempts] = [job.retry_count + 1, job.max_retries + 1];
  const hasExpired = leaseExpiresAt !== null && Date.parse(leaseExpiresAt) <= Date.parse(job.checked_at);
  const lease =
    leaseExpiresAt === null
      ? ''
      : hasExpired
        ? `; its lease ended at ${at(leaseExpiresAt)}, so the attempt fails shortly`
        : `; its lease lasts until ${at(leaseExpiresAt)} unless it is renewed`;
  return {
    code: 'running',
    message: `Worker ${job.worker_id} has been running attempt ${attempt} of ${attempts} since ${at(job.started_at!)}${lease}.`,
    since: job.started_at,
    until: leaseExpiresAt,
    details: {
      worker_id: job.worker_id,
      attempt,
      max_attempts: attempts,
      lease_expires_at: leaseExpiresAt,
      timeout_seconds: job.timeout_seconds,
    },
  };
}

/** Parents that have not completed and that the caller may see. */
export const visibleParents = ({ parents, mayUse }: Pick<LiveJobFacts, 'parents' | 'mayUse'>): ParentRow[] =>
  parents.filter(({ status, queue_name }) => status !== 'completed' && mayUse(queue_name));

function dependencies({ job, parents, parentReasons, mayUse }: LiveJobFacts): Reason {
  const mode = job.dependency_mode === 'any' ? 'any' : 'all';
  const unfinished = parents.filter(({ status }) => status !== 'completed');
  const visible = visibleParents({ parents, mayUse });
  const first = visible[0] && parentReasons.get(visible[0].job_id);
  const needed = mode === 'any' ? `one of its ${plural(parents.length, 'parent')}` : `all of its parents`;
  return {
    code: 'dependencies',
    message: `The job needs ${needed} to complete; ${unfinished.length} of ${parents.length} have not.${first ? ` Of its parent ${visible[0]!.job_id}: ${first.message}` : ''}`,
    since: job.created_at,
    until: null,
    details: {
      mode,
      total: parents.length,
      unfinished: unfinished.length,
      parents: visible
        .slice(0, maxParentsShown)
        .map((parent) => ({ ...parent, reason: parentReasons.get(parent.job_id) ?? null })),
      hidden: unfinished.length - visible.length,
    },
  };
}

function scheduled(job: ExplainedJobRow): Reason {
  return {
    code: 'scheduled',
    message: `The job is scheduled for ${at(job.due_at!)}.`,
    since: job.created_at,
    until: job.due_at,
    details: { scheduled_at: job.due_at! },
  };
}

/** Its handler has begun, and waits in a step. */
function step(job: ExplainedJobRow): Reason | null {
  if (job.step === null) return null;
  const until = at(job.due_at!);
  return {
    code: 'step',
    message:
      job.step_kind === 'signal'
        ? `The job waits for the signal ${JSON.stringify(job.step)}, until ${until} at the latest.`
        : `The job sleeps in step ${JSON.stringify(job.step)} until ${until}.`,
    since: job.step_since,
    until: job.due_at,
    details: { step: job.step, waits_for: job.step_kind === 'signal' ? 'signal' : 'sleep', deadline: job.due_at! },
  };
}

function backoff(job: ExplainedJobRow): Reason {
  const [attempt, attempts] = [job.retry_count + 1, job.max_retries + 1];
  return {
    code: 'retry_backoff',
    message: `Attempt ${attempt - 1} failed; attempt ${attempt} of ${attempts} may start at ${at(job.due_at!)}.`,
    since: job.started_at,
    until: job.due_at,
    details: {
      next_attempt_at: job.due_at!,
      next_attempt: attempt,
      max_attempts: attempts,
      last_error: job.last_error,
    },
  };
}

/** @param since when it became claimable */
function behind(ahead: number, since: string): Reason {
  const verb = ahead === 1 ? 'is' : 'are';
  const message = `${plural(boundedBy(ahead), 'job')} of the queue ${verb} claimed before it: higher priority, or the same and older.`;
  return {
    code: 'behind',
    message: message[0]!.toUpperCase() + message.slice(1),
    since,
    until: null,
    details: { jobs_ahead: ahead },
  };
}

function next(job: ExplainedJobRow, since: string): Reason {
  const message =
    job.state === 'ready'
      ? 'Nothing holds the job back: the next claim of its queue gets it.'
      : `The job has been due since ${at(since)}; the next claim of its queue can get it.`;
  return { code: 'ready', message, since, until: null, details: {} };
}

function expiry(job: ExplainedJobRow): Reason {
  const expiresAt = job.expires_at!;
  const details = { expires_at: expiresAt };
  if (!job.is_expired) {
    const end = job.retry_count > 0 ? 'becomes a dead letter' : 'is cancelled';
    const message = `The job ${end} unless it starts before ${at(expiresAt)}.`;
    return { code: 'expires', message, since: null, until: expiresAt, details };
  }
  const message =
    job.retry_count > 0
      ? `The job expired at ${at(expiresAt)} before its retry; it becomes a dead letter shortly.`
      : `The job expired at ${at(expiresAt)} before it started; it is cancelled shortly.`;
  return { code: 'expired', message, since: expiresAt, until: null, details };
}
