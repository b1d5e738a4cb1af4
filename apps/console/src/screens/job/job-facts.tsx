import type { Job } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { ItemLink, JobLink, QueueLink, WorkerLink } from '../../parts/links';
import { isEnded } from '../../ui/job-status';
import { formatDuration, shortId } from '../../ui/format';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import styles from './job.module.css';
import { timelineQuery } from './queries';

/** A dead letter has no time of completion: it ended when it became one. */
function useEnd({ id, status, completedAt }: Job): string | null {
  const { data } = useQuery(timelineQuery(id));
  if (completedAt !== null || !isEnded(status)) return completedAt;
  return data?.states.findLast(({ state }) => state === status)?.from ?? null;
}

export function JobFacts({ job }: { job: Job }) {
  const endedAt = useEnd(job);
  return (
    <Section title="Details">
      {facts({
        Id: <code>{job.id}</code>,
        Queue: <QueueLink name={job.queueName} />,
        Priority: job.priority,
        'Retries used': `${job.retryCount} of ${job.maxRetries}`,
        Timeout: formatDuration(job.timeoutSeconds * 1000),
        Created: <Time value={job.createdAt} stacked />,
        Started: <Time value={job.startedAt} stacked />,
        Ended: <Time value={endedAt} stacked />,
        ...optionalFacts(job),
      })}
      {job.progress !== null && <Progress job={job} />}
    </Section>
  );
}

/** What only some jobs have. */
const optionalFacts = (job: Job) => ({
  'Scheduled for': job.scheduledAt && <Time value={job.scheduledAt} stacked />,
  Expires: job.expiresAt && <Time value={job.expiresAt} stacked />,
  Worker: job.assignedWorkerId && <WorkerLink id={job.assignedWorkerId} />,
  'Lease ends': job.leaseExpiresAt && <Time value={job.leaseExpiresAt} stacked />,
  'Idempotency key': job.idempotencyKey,
  Parent: job.parentJobId && <JobLink id={job.parentJobId} />,
  Workflow: job.workflowId && <ItemLink to="/workflows/$id" id={job.workflowId} text={shortId(job.workflowId)} />,
  Batch: job.batchId && <ItemLink to="/batches/$id" id={job.batchId} text={shortId(job.batchId)} />,
  Calls: job.callbackUrl,
});

const Progress = ({ job: { progress, progressMessage, progressAt } }: { job: Job }) => (
  <div className={styles.progress}>
    <progress max={100} value={progress ?? 0} aria-label="Progress" />
    <span>
      {progress} % {progressMessage}
    </span>
    <Time value={progressAt} />
  </div>
);
