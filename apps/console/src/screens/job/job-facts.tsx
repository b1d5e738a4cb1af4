import type { Job } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobLink, QueueLink, WorkerLink } from '../../parts/links';
import { formatDuration, shortId } from '../../ui/format';
import { Fact, Facts, Section, TimeFact } from '../../ui/page';
import { Time } from '../../ui/time';
import styles from './job.module.css';
import { timelineQuery } from './queries';

const endedStatuses: readonly Job['status'][] = ['completed', 'failed', 'deadletter', 'cancelled'];

/** A dead letter has no time of completion: it ended when it became one. */
function useEnd({ id, status, completedAt }: Job): string | null {
  const { data } = useQuery(timelineQuery(id));
  if (completedAt !== null || !endedStatuses.includes(status)) return completedAt;
  return data?.states.findLast(({ state }) => state === status)?.from ?? null;
}

export function JobFacts({ job }: { job: Job }) {
  const endedAt = useEnd(job);
  return (
    <Section title="Details">
      <Facts>
        <Fact name="Id">
          <code>{job.id}</code>
        </Fact>
        <Fact name="Queue">
          <QueueLink name={job.queueName} />
        </Fact>
        <Fact name="Priority">{job.priority}</Fact>
        <Fact name="Retries used">{`${job.retryCount} of ${job.maxRetries}`}</Fact>
        <Fact name="Timeout">{formatDuration(job.timeoutSeconds * 1000)}</Fact>
        <TimeFact name="Created" value={job.createdAt} />
        <TimeFact name="Started" value={job.startedAt} />
        <TimeFact name="Ended" value={endedAt} />
        <OptionalFacts job={job} />
      </Facts>
      {job.progress !== null && <Progress job={job} />}
    </Section>
  );
}

/** What only some jobs have. */
const OptionalFacts = ({ job }: { job: Job }) => (
  <>
    {job.scheduledAt && <TimeFact name="Scheduled for" value={job.scheduledAt} />}
    {job.expiresAt && <TimeFact name="Expires" value={job.expiresAt} />}
    {job.assignedWorkerId && (
      <Fact name="Worker">
        <WorkerLink id={job.assignedWorkerId} />
      </Fact>
    )}
    {job.leaseExpiresAt && <TimeFact name="Lease ends" value={job.leaseExpiresAt} />}
    {job.idempotencyKey && <Fact name="Idempotency key">{job.idempotencyKey}</Fact>}
    {job.parentJobId && (
      <Fact name="Parent">
        <JobLink id={job.parentJobId} />
      </Fact>
    )}
    {job.workflowId && (
      <Fact name="Workflow">
        <Link to="/workflows/$id" params={{ id: job.workflowId }}>
          {shortId(job.workflowId)}
        </Link>
      </Fact>
    )}
    {job.batchId && (
      <Fact name="Batch">
        <Link to="/batches/$id" params={{ id: job.batchId }}>
          {shortId(job.batchId)}
        </Link>
      </Fact>
    )}
    {job.callbackUrl && <Fact name="Calls">{job.callbackUrl}</Fact>}
  </>
);

const Progress = ({ job: { progress, progressMessage, progressAt } }: { job: Job }) => (
  <div className={styles.progress}>
    <progress max={100} value={progress ?? 0} aria-label="Progress" />
    <span>
      {progress} % {progressMessage}
    </span>
    <Time value={progressAt} />
  </div>
);
