import { type Actor, type jobHistorySchemas, parseActor } from '@spooled/contracts';
import type { JobEventRow } from '@spooled/data-access';

type JobEvent = jobHistorySchemas.JobEvent;

/** Names that are stored for what callers know under another one. */
const publicTypes: Record<string, string> = {
  worker_lost: 'lease_expired',
  timeout: 'failed',
  retried_by_hand: 'retried',
};

/** Attempts and retries that the server ends: the task that does it, and why. */
const ended: Record<string, { task: string; reason: string }> = {
  lease_expired: { task: 'lease-recovery', reason: 'lease_expired' },
  timeout: { task: 'lease-recovery', reason: 'timeout' },
  worker_lost: { task: 'stale-workers', reason: 'worker_offline' },
  expired: { task: 'job-expiry', reason: 'expired' },
};

/** How the attempt ended that this event is about: its own name, or that of the event that made it a dead letter. */
const endOf = ({ event, details }: JobEventRow): string =>
  event === 'deadlettered' ? String(details?.cause ?? 'failed') : event;

const typeOf = ({ event }: JobEventRow): string => publicTypes[event] ?? event;

const system = (task: string): Actor => ({ kind: 'system', id: task, name: null });

/** Who caused an event: as recorded, or as the event itself says. Null if unknown. */
function actorOf(row: JobEventRow): Actor | null {
  if (row.actor !== null) return parseActor(row.actor);
  const task = ended[endOf(row)]?.task;
  if (task !== undefined) return system(task);
  return row.worker_id === null ? null : { kind: 'worker', id: row.worker_id, name: null };
}

/** An event as callers read it. */
export function toJobEvent(jobId: string, row: JobEventRow): JobEvent {
  const details = { ...factsOf(row), actor: actorOf(row) };
  const known = Object.entries(details).filter(
    ([name, value]) => name === 'actor' || (value ?? undefined) !== undefined,
  );
  return {
    id: row.id,
    job_id: jobId,
    event_type: typeOf(row),
    worker_id: row.worker_id,
    details: Object.fromEntries(known) as JobEvent['details'],
    created_at: row.at,
  };
}

/** What an event says beside its actor. */
function factsOf(row: JobEventRow): Record<string, unknown> {
  const { attempt, error, lease_id } = row;
  const stored = withUtcTimes(row.details ?? {});
  const reason = ended[endOf(row)]?.reason;
  switch (typeOf(row)) {
    case 'claimed':
    case 'completed':
      return { lease_id, attempt };
    case 'released':
      return { lease_id, attempt, reason: actorOf(row)?.kind === 'system' ? 'worker_gone' : 'given_back' };
    case 'waiting':
      return { lease_id, attempt, ...stored };
    case 'failed':
      return { lease_id, error, reason, attempt, retry_count: retryCountAfter(row), ...stored };
    case 'lease_expired': {
      const { will_retry: willRetry, ...rest } = stored;
      return { to: willRetry === false ? 'deadletter' : 'pending', reason, error, attempt, lease_id, ...rest };
    }
    case 'deadlettered':
      return { error, attempt, cause: reason ?? 'failed' };
    default:
      return { ...stored, error };
  }
}

/** `retry_count` of the job after the failure. */
function retryCountAfter({ attempt, details }: JobEventRow): number | null {
  if (attempt === null) return null;
  return details?.will_retry === false ? attempt - 1 : attempt;
}

/** PostgreSQL writes times inside documents with an offset of +00:00; callers read Z everywhere. */
function withUtcTimes(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'string' ? value.replace(/\+00(?::00)?$/, 'Z') : value,
    ]),
  );
}
