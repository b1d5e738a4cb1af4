import { useQuery } from '@tanstack/react-query';
import { JobLink } from '../../parts/links';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { type JobInHand, jobsInHandQuery } from './queries';
import parts from '../../ui/progress-parts.module.css';

const columns: Column<JobInHand>[] = [
  {
    title: 'Job',
    isRowHeader: true,
    cell: ({ id }) => <JobLink id={id} />,
  },
  { title: 'Type', cell: ({ jobType }) => jobType ?? '–' },
  { title: 'Queue', cell: ({ queueName }) => queueName },
  { title: 'Attempt', numeric: true, cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}` },
  { title: 'Begun', cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Lease ends', cell: ({ leaseExpiresAt }) => <Time value={leaseExpiresAt} /> },
  {
    title: 'Progress',
    cell: ({ progress, progressMessage }) =>
      progress === null ? (
        '–'
      ) : (
        <span className={parts.done}>
          <Progress label="Progress" value={progress} total={100} />
          {`${Math.round(progress)} %`} {progressMessage}
        </span>
      ),
  },
];

/** The jobs that a worker holds now, with the ends of their leases. */
export function JobsInHand({ id }: { id: string }) {
  const query = useQuery(jobsInHandQuery(id));
  return (
    <Section title="Running jobs" aside={query.data && formatCount(query.data.jobs.length)}>
      <Loaded query={query}>
        {({ jobs, notChecked }) => (
          <>
            {notChecked.length > 0 && (
              <Notice tone="warn" title="Not everything could be looked up">
                {notChecked.join(', ')}
              </Notice>
            )}
            <Table
              label="Running jobs"
              columns={columns}
              rows={jobs}
              rowKey={({ id: job }) => job}
              empty={<Notice title="It holds no job">It waits for jobs of its queues, or has stopped.</Notice>}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
