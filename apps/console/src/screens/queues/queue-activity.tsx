import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { inLastHour, perMinute } from '../../parts/rates';
import { formatBounded, formatCount, formatDuration } from '../../ui/format';
import { jobStatuses, jobStatusLabel } from '../../ui/job-status';
import { Loaded } from '../../ui/loaded';
import { Fact, Facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { queueCountsQuery } from './queries';

const seconds = (value: number | null): string => (value === null ? '–' : formatDuration(value * 1000));

/** What is in the queue now, how fast it moves, and who works on it. */
export function QueueActivity({ explanation: { queueName, jobs, rates, workers } }: { explanation: QueueExplanation }) {
  return (
    <>
      <Section title="Now">
        <Facts>
          <Fact name="Ready">{formatBounded(jobs.ready)}</Fact>
          <Fact name="Oldest ready job">{seconds(jobs.oldestReadySeconds)}</Fact>
          <Fact name="Running">{formatBounded(jobs.running)}</Fact>
          <Fact name="Scheduled">{formatBounded(jobs.scheduled)}</Fact>
          <Fact name="Waiting to retry">{formatBounded(jobs.retrying)}</Fact>
          <Fact name="Waiting for other jobs">{formatBounded(jobs.blocked)}</Fact>
          <Fact name="Time until empty">
            {rates.secondsToDrain === null ? 'Unknown' : seconds(rates.secondsToDrain)}
          </Fact>
          <Fact name="Average run time">{rates.averageRunMs === null ? '–' : formatDuration(rates.averageRunMs)}</Fact>
        </Facts>
      </Section>
      <Section title="Per minute">
        <Facts>
          <Fact name="Created" note={inLastHour(rates.createdLastHour, rates.coveredSeconds)}>
            {perMinute(rates.lastMinute, 'created')}
          </Fact>
          <Fact name="Completed" note={inLastHour(rates.completedLastHour, rates.coveredSeconds)}>
            {perMinute(rates.lastMinute, 'completed')}
          </Fact>
          <Fact name="Failed attempts" note={inLastHour(rates.failedAttemptsLastHour, rates.coveredSeconds)}>
            {perMinute(rates.lastMinute, 'failedAttempts')}
          </Fact>
        </Facts>
      </Section>
      <Section title="Workers">
        <Facts>
          <Fact name="Healthy">{formatBounded(workers.healthy)}</Fact>
          <Fact name="Degraded">{formatBounded(workers.degraded)}</Fact>
          <Fact name="Draining">{formatBounded(workers.draining)}</Fact>
          <Fact name="Offline">{formatBounded(workers.offline)}</Fact>
          <Fact name="Last heartbeat">
            <Time value={workers.lastHeartbeat} />
          </Fact>
          <Fact name="Newest running job">
            <Time value={workers.lastStartedAt} />
          </Fact>
        </Facts>
      </Section>
      <Counts queue={queueName} />
    </>
  );
}

/** All jobs that are kept, by status; each count leads to its jobs. */
function Counts({ queue }: { queue: string }) {
  const query = useQuery(queueCountsQuery(queue));
  return (
    <Section
      title="Jobs by status"
      aside={
        <Link to="/jobs" search={{ queue }}>
          All jobs of this queue
        </Link>
      }
    >
      <Loaded query={query}>
        {(counts) => (
          <Facts>
            {jobStatuses.map((status) => (
              <Fact key={status} name={jobStatusLabel(status)}>
                <Link to="/jobs" search={{ queue, status }}>
                  {formatCount(counts[status])}
                </Link>
              </Fact>
            ))}
          </Facts>
        )}
      </Loaded>
    </Section>
  );
}
