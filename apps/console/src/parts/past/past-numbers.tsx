import { formatCount, formatDuration } from '../../ui/format';
import { Fact, Facts, Section } from '../../ui/page';
import type { Minute } from './moment';

export const countOf = (value: number | null): string => (value === null ? 'Unknown' : formatCount(value));

/** The age of the oldest job: 0 means that there was none. */
export const ageOf = (ms: number | null): string => (ms === null ? 'Unknown' : ms === 0 ? '–' : formatDuration(ms));

export const p95Of = (latency: Minute['waitMs']): string => (latency === null ? '–' : formatDuration(latency.p95));

/** A queue, or all queues together, as of a moment. */
export const PastNumbers = ({ minute }: { minute: Minute }) => (
  <>
    <Section title="At this moment">
      <Facts>
        <Fact name="Pending">{countOf(minute.pending)}</Fact>
        <Fact name="Processing">{countOf(minute.processing)}</Fact>
        <Fact name="Scheduled">{countOf(minute.scheduled)}</Fact>
        <Fact name="Oldest ready job">{ageOf(minute.oldestPendingMs)}</Fact>
      </Facts>
    </Section>
    <Section title="In the minute before">
      <Facts>
        <Fact name="Created">{countOf(minute.created)}</Fact>
        <Fact name="Started">{countOf(minute.started)}</Fact>
        <Fact name="Completed">{countOf(minute.completed)}</Fact>
        <Fact name="Failed attempts">{countOf(minute.failed)}</Fact>
        <Fact name="95 % waited at most">{p95Of(minute.waitMs)}</Fact>
        <Fact name="95 % ran at most">{p95Of(minute.runMs)}</Fact>
      </Facts>
    </Section>
  </>
);
