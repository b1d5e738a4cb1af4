import { formatCount, formatDuration } from '../../ui/format';
import { facts, Section } from '../../ui/page';
import type { Minute } from './moment';

export const countOf = (value: number | null): string => (value === null ? 'Unknown' : formatCount(value));

/** The age of the oldest job: 0 means that there was none. */
export const ageOf = (ms: number | null): string => (ms === null ? 'Unknown' : ms === 0 ? '–' : formatDuration(ms));

export const p95Of = (latency: Minute['waitMs']): string => (latency === null ? '–' : formatDuration(latency.p95));

/** A queue, or all queues together, as of a moment. */
export const PastNumbers = ({ minute }: { minute: Minute }) => (
  <>
    <Section title="At this moment">
      {facts({
        Pending: countOf(minute.pending),
        Processing: countOf(minute.processing),
        Scheduled: countOf(minute.scheduled),
        'Oldest ready job': ageOf(minute.oldestPendingMs),
      })}
    </Section>
    <Section title="In the minute before">
      {facts({
        Created: countOf(minute.created),
        Started: countOf(minute.started),
        Completed: countOf(minute.completed),
        'Failed attempts': countOf(minute.failed),
        '95 % waited at most': p95Of(minute.waitMs),
        '95 % ran at most': p95Of(minute.runMs),
      })}
    </Section>
  </>
);
