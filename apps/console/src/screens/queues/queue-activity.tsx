import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { JobsLink } from '../../parts/links';
import { inLastHour, perMinute } from '../../parts/rates';
import { durationOf, formatBounded, formatCount, formatDuration } from '../../ui/format';
import { jobStatuses, jobStatusLabel } from '../../ui/job-status';
import { Loaded } from '../../ui/loaded';
import { facts, Noted, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { queueCountsQuery } from './queries';

const seconds = (value: number | null): string => (value === null ? '–' : formatDuration(value * 1000));

/** What is in the queue now, how fast it moves, and who works on it. */
export function QueueActivity({ explanation: { queueName, jobs, rates, workers } }: { explanation: QueueExplanation }) {
  const rate = (member: Parameters<typeof perMinute>[1], lastHour: number) => (
    <Noted value={perMinute(rates.lastMinute, member)} note={inLastHour(lastHour, rates.coveredSeconds)} />
  );
  return (
    <>
      <Section title="Now">
        {facts({
          Ready: formatBounded(jobs.ready),
          'Oldest ready job': seconds(jobs.oldestReadySeconds),
          Running: formatBounded(jobs.running),
          Scheduled: formatBounded(jobs.scheduled),
          'Waiting to retry': formatBounded(jobs.retrying),
          'Waiting for other jobs': formatBounded(jobs.blocked),
          'Time until empty': rates.secondsToDrain === null ? 'Unknown' : seconds(rates.secondsToDrain),
          'Average run time': durationOf(rates.averageRunMs),
        })}
      </Section>
      <Section title="Per minute">
        {facts({
          Created: rate('created', rates.createdLastHour),
          Completed: rate('completed', rates.completedLastHour),
          'Failed attempts': rate('failedAttempts', rates.failedAttemptsLastHour),
        })}
      </Section>
      <Section title="Workers">
        {facts({
          Healthy: formatBounded(workers.healthy),
          Degraded: formatBounded(workers.degraded),
          Draining: formatBounded(workers.draining),
          Offline: formatBounded(workers.offline),
          'Last heartbeat': <Time value={workers.lastHeartbeat} />,
          'Newest running job': <Time value={workers.lastStartedAt} />,
        })}
      </Section>
      <Counts queue={queueName} />
    </>
  );
}

/** All jobs that are kept, by status; each count leads to its jobs. */
const Counts = ({ queue }: { queue: string }) => (
  <Section title="Jobs by status" aside={<JobsLink search={{ queue }} text="All jobs of this queue" />}>
    <Loaded query={useQuery(queueCountsQuery(queue))}>
      {(counts) =>
        facts(
          Object.fromEntries(
            jobStatuses.map((status) => [
              jobStatusLabel(status),
              <JobsLink key={status} search={{ queue, status }} text={formatCount(counts[status])} />,
            ]),
          ),
        )
      }
    </Loaded>
  </Section>
);
