import type { jobHistorySchemas } from '@spooled/contracts';
import type { PausePeriod } from '@spooled/data-access';
import { isTerminal, type JobStatus } from '@spooled/domain';

type JobEvent = jobHistorySchemas.JobEvent;
type Timeline = jobHistorySchemas.JobTimeline;
type State = Timeline['states'][number];
type Attempt = Timeline['attempts'][number];
type Wait = Timeline['waits'][number];

/** The history of a job, oldest event first, and when it was read. */
export interface TimelineInput {
  events: JobEvent[];
  now: string;
  /** Whether the job waits for other jobs now. */
  blocked: boolean;
  /** When the queue of the job was paused, the oldest first. */
  pauses: PausePeriod[];
}

/** The status of a job after an event; other events do not change it. */
const statusAfter: Record<string, JobStatus> = {
  created: 'pending',
  activated: 'pending',
  claimed: 'processing',
  failed: 'pending',
  lease_expired: 'pending',
  released: 'pending',
  waiting: 'scheduled',
  resumed: 'pending',
  retried: 'pending',
  deadlettered: 'deadletter',
  cancelled: 'cancelled',
  completed: 'completed',
};

const attemptEnds: Record<string, Attempt['outcome']> = {
  completed: 'completed',
  failed: 'failed',
  lease_expired: 'lease_expired',
  released: 'released',
  cancelled: 'cancelled',
  waiting: 'waiting',
};

const textOf = (event: JobEvent | undefined, name: string): string | null => {
  const value = event?.details?.[name];
  return typeof value === 'string' ? value : null;
};

export const causeOf = (event: JobEvent) => ({ actor: event.details?.actor ?? null, reason: textOf(event, 'reason') });

const msBetween = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

/** A failure without a further attempt is followed by `deadlettered`, which is the change. */
const isFinalFailure = (event: JobEvent): boolean =>
  event.details?.will_retry === false || event.details?.to === 'deadletter';

function statusOf(event: JobEvent, isScheduled: boolean): JobStatus | undefined {
  if (event.event_type === 'created' && isScheduled) return 'scheduled';
  return isFinalFailure(event) ? undefined : statusAfter[event.event_type];
}

/** Whether the job was created for a later time. */
function wasScheduled(events: JobEvent[]): boolean {
  const [created] = events;
  const due = textOf(created, 'scheduled_at');
  if (due !== null && msBetween(created!.created_at, due) > 0) return true;
  // Waits of its steps come after its first claim.
  return events.find(({ event_type: type }) => type === 'activated' || type === 'claimed')?.event_type === 'activated';
}

/** An event that changed the status of the job, and the one that changed it again. */
interface Change {
  event: JobEvent;
  state: JobStatus;
  /** Events until then that did not change it. */
  during: JobEvent[];
  end: JobEvent | undefined;
}

function statusChanges(events: JobEvent[]): Change[] {
  const isScheduled = wasScheduled(events);
  const changes: Change[] = [];
  for (const event of events) {
    const state = statusOf(event, isScheduled);
    const before = changes.at(-1);
    if (state === undefined) before?.during.push(event);
    else {
      if (before) before.end = event;
      changes.push({ event, state, during: [], end: undefined });
    }
  }
  return changes;
}

/** The statuses of the job, one after the other. */
export const statesOf = ({ events, now }: Pick<TimelineInput, 'events' | 'now'>): State[] =>
  statusChanges(events).map(({ event, state, end }) => {
    const to = end?.created_at ?? null;
    const from = event.created_at;
    const duration = to === null && isTerminal(state) ? null : msBetween(from, to ?? now);
    return { state, from, to, duration_ms: duration, event_type: event.event_type, ...causeOf(event) };
  });

/** Events that did not change the status. */
export const changesOf = ({ events }: Pick<TimelineInput, 'events'>): Timeline['changes'] =>
  events
    .filter((event) => !(event.event_type in statusAfter))
    .map((event) => {
      const { actor: _, reason: __, ...details } = event.details ?? { actor: null };
      return { event_type: event.event_type, at: event.created_at, ...causeOf(event), details };
    });

/** Every claim of a worker and how it ended. */
export function attemptsOf({ events, now }: Pick<TimelineInput, 'events' | 'now'>): Attempt[] {
  return events.flatMap((claim, i) => {
    if (claim.event_type !== 'claimed') return [];
    const end = events.slice(i + 1).find(({ event_type: type }) => type in attemptEnds || type === 'claimed');
    return [attemptOf(claim, end?.event_type === 'claimed' ? undefined : end, now)];
  });
}

function attemptOf(claim: JobEvent, end: JobEvent | undefined, now: string): Attempt {
  const attempt = claim.details?.attempt;
  return {
    attempt: typeof attempt === 'number' ? attempt : 0,
    worker_id: claim.worker_id ?? '',
    lease_id: textOf(claim, 'lease_id'),
    started_at: claim.created_at,
    ended_at: end?.created_at ?? null,
    duration_ms: msBetween(claim.created_at, end?.created_at ?? now),
    outcome: end ? attemptEnds[end.event_type]! : 'running',
    error: textOf(end, 'error'),
    next_attempt_at: textOf(end, 'scheduled_at'),
  };
}

/** The times in which no worker held the job, and why. */
export function waitsOf(input: TimelineInput): Wait[] {
  return statusChanges(input.events).flatMap((change) => {
    const { event, state, end } = change;
    if (state === 'scheduled')
      return [
        wait(
          event.event_type === 'waiting' ? 'step' : 'scheduled',
          event.created_at,
          end?.created_at ?? null,
          input.now,
        ),
      ];
    return state === 'pending' ? waitsWhilePending(change, input).flatMap((one) => withoutPauses(one, input)) : [];
  });
}

/** A job that could be claimed waits for its queue to be resumed while that is paused. */
function withoutPauses(queued: Wait, { pauses, now }: Pick<TimelineInput, 'pauses' | 'now'>): Wait[] {
  if (queued.reason !== 'queued') return [queued];
  const end = queued.to ?? now;
  const parts: Wait[] = [];
  let from = queued.from;
  for (const pause of pauses) {
    const begins = pause.from === null || msBetween(from, pause.from) === 0 ? from : pause.from;
    const ends = pause.to === null || msBetween(pause.to, end) === 0 ? queued.to : pause.to;
    if (msBetween(begins, ends ?? now) === 0) continue;
    if (begins !== from) parts.push(wait('queued', from, begins, now));
    parts.push(wait('queue_paused', begins, ends, now));
    if (ends === queued.to) return parts;
    from = ends!;
  }
  return [...parts, wait('queued', from, queued.to, now)];
}

/** A pending job waits for its next attempt or for other jobs, and then for a worker. */
function waitsWhilePending(change: Change, { now, blocked }: TimelineInput): Wait[] {
  const from = change.event.created_at;
  const to = change.end?.created_at ?? null;
  const first = firstReason(change, blocked);
  if (!first) return [wait('queued', from, to, now)];
  const { reason, until } = first;
  if (until === null || msBetween(to ?? now, until) > 0) return [wait(reason, from, to, now)];
  return [wait(reason, from, until, now), wait('queued', until, to, now)];
}

/** Why the job cannot be claimed at first, and until when: null = to the end. Null when it can be claimed at once. */
function firstReason(
  { event, during, end }: Change,
  blocked: boolean,
): { reason: Wait['reason']; until: string | null } | null {
  const due = event.event_type in attemptEnds ? textOf(event, 'scheduled_at') : null;
  if (due !== null && msBetween(event.created_at, due) > 0) return { reason: 'retry_backoff', until: due };
  const met = during.findLast(({ event_type: type }) => type === 'dependencies_met');
  if (end ? textOf(end, 'reason') === 'dependency' : blocked) return { reason: 'dependencies', until: null };
  return met ? { reason: 'dependencies', until: met.created_at } : null;
}

const wait = (reason: Wait['reason'], from: string, to: string | null, now: string): Wait => ({
  reason,
  from,
  to,
  duration_ms: msBetween(from, to ?? now),
});
