import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { formatCount } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Fact, Facts, Page, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { JobsInHand } from './jobs-in-hand';
import { type WorkerDetails, workerQuery } from './queries';
import { workerRoute } from './route';
import { WorkerActions } from './worker-actions';
import type { WorkerStatus } from './worker-names';
import { WorkerStatusBadge } from './worker-status';
import styles from './workers.module.css';

const back = <Link to="/workers">Workers</Link>;

/** One worker: how it is, and what it has in hand. */
export function WorkerScreen() {
  const { id } = workerRoute.useParams();
  const query = useQuery(workerQuery(id));
  if (query.data) return <WorkerPage worker={query.data} />;
  return (
    <Page title="Worker" back={back}>
      <Loaded query={query} lines={6}>
        {() => (
          <Notice title="No worker is registered with this id">
            A worker may claim jobs without being registered. Its jobs are among those in processing.
          </Notice>
        )}
      </Loaded>
    </Page>
  );
}

const meanings: Partial<Record<WorkerStatus, string>> = {
  degraded: 'It has missed at least two heartbeats. After five it counts as offline.',
  draining: 'It ends the jobs that it holds, and gets no more until it is taken back or registers again.',
  offline:
    'It has sent no heartbeat for a while, or has said that it stops. Others get its jobs when their leases end.',
};

function WorkerPage({ worker }: { worker: WorkerDetails }) {
  const { hostname, status, id, metadata } = worker;
  const meaning = meanings[status];
  return (
    <Page
      title={hostname}
      back={back}
      badge={<WorkerStatusBadge status={status} />}
      actions={<WorkerActions worker={worker} />}
    >
      {meaning && <Notice tone={status === 'degraded' ? 'warn' : 'info'} title={meaning} />}
      <WorkerFacts worker={worker} />
      <JobsInHand id={id} />
      {hasMembers(metadata) && (
        <Section title="Metadata">
          <JsonTree label="Metadata" value={metadata} />
        </Section>
      )}
    </Page>
  );
}

const hasMembers = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);

const WorkerFacts = ({ worker }: { worker: WorkerDetails }) => (
  <Facts>
    <Fact name="Slots in use">{`${formatCount(worker.currentJobs)} of ${formatCount(worker.maxConcurrency)}`}</Fact>
    <Fact name="Last heartbeat">
      <Time value={worker.lastHeartbeat} stacked />
    </Fact>
    <Fact name="Queues">
      {worker.queueNames.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link to="/queues/$name" params={{ name }}>
            {name}
          </Link>
        </Fragment>
      ))}
    </Fact>
    <Fact name="Version">{worker.version ?? '–'}</Fact>
    <Fact name="Type">{worker.workerType ?? '–'}</Fact>
    <Fact name="Jobs completed">{formatCount(worker.jobsProcessed)}</Fact>
    <Fact name="Attempts failed">{formatCount(worker.jobsFailed)}</Fact>
    <Fact name="Registered">
      <Time value={worker.registeredAt} stacked />
    </Fact>
    <Fact name="Id">
      <span className={styles.mono}>{worker.id}</span>
    </Fact>
  </Facts>
);
