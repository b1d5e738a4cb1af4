import { useQuery } from '@tanstack/react-query';
import type { Batch } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { formatCount } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { LoadedPage } from '../../ui/loaded-page';
import { Fact, Facts, Page, Section } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { Time } from '../../ui/time';
import { BatchActions } from './batch-actions';
import { BatchCallbacks } from './batch-callbacks';
import { BatchJobs } from './batch-jobs';
import { type BatchJobStatus, batchTitle, endedJobs } from './batch-names';
import { BatchStatusBadge } from './batch-status';
import parts from '../../ui/progress-parts.module.css';
import { batchQuery } from './queries';
import { batchRoute } from './route';

const back = <Link to="/batches">Batches</Link>;

/** One batch: how many of its jobs have ended and how, its callback jobs, and its jobs with their results. */
export function BatchScreen() {
  const { id } = batchRoute.useParams();
  const query = useQuery(batchQuery(id));
  return (
    <LoadedPage query={query} title="Batch" back={back}>
      {(batch) => <BatchPage batch={batch} />}
    </LoadedPage>
  );
}

const BatchPage = ({ batch }: { batch: Batch }) => (
  <Page
    title={batchTitle(batch)}
    back={back}
    badge={<BatchStatusBadge status={batch.status} />}
    actions={<BatchActions batch={batch} />}
  >
    <Counts batch={batch} />
    <BatchFacts batch={batch} />
    <BatchCallbacks batch={batch} />
    {batch.metadata !== null && (
      <Section title="Metadata">
        <JsonTree label="Metadata" value={batch.metadata} />
      </Section>
    )}
    <BatchJobs batch={batch} />
  </Page>
);

const Counts = ({ batch }: { batch: Batch }) => (
  <Section title="Counts">
    <div className={parts.progress}>
      <span className={parts.done}>
        <strong>{`${formatCount(endedJobs(batch))} of ${formatCount(batch.totalJobs)}`}</strong> jobs ended
      </span>
      <Progress label="Jobs ended" value={endedJobs(batch)} total={batch.totalJobs} failed={batch.failedJobs} />
    </div>
    <Facts>
      <Fact name="Total">{formatCount(batch.totalJobs)}</Fact>
      <Fact name="Waiting">{formatCount(batch.pendingJobs)}</Fact>
      <Fact name="Running">{formatCount(batch.runningJobs)}</Fact>
      <Fact name="Succeeded">
        <JobsLink batch={batch} jobs="succeeded" count={batch.succeededJobs} />
      </Fact>
      <Fact name="Dead letters">
        <JobsLink batch={batch} jobs="failed" count={batch.failedJobs} />
      </Fact>
      <Fact name="Cancelled">
        <JobsLink batch={batch} jobs="cancelled" count={batch.cancelledJobs} />
      </Fact>
    </Facts>
  </Section>
);

interface JobsLinkProps {
  batch: Batch;
  jobs: BatchJobStatus;
  count: number;
}

const JobsLink = ({ batch: { id }, jobs, count }: JobsLinkProps): ReactNode =>
  count === 0 ? (
    '0'
  ) : (
    <Link to="/batches/$id" params={{ id }} search={{ jobs }} resetScroll={false}>
      {formatCount(count)}
    </Link>
  );

const BatchFacts = ({ batch: { id, queueNames, createdAt, closedAt, completedAt } }: { batch: Batch }) => (
  <Section title="Details">
    <Facts>
      <Fact name="Id">
        <code>{id}</code>
      </Fact>
      <Fact name="Queues">
        {queueNames.length === 0
          ? '–'
          : queueNames.toSorted().map((name, i) => (
              <Fragment key={name}>
                {i > 0 && ', '}
                <Link to="/queues/$name" params={{ name }}>
                  {name}
                </Link>
              </Fragment>
            ))}
      </Fact>
      <Fact name="Created">
        <Time value={createdAt} stacked />
      </Fact>
      <Fact name="Closed">
        <Time value={closedAt} stacked />
      </Fact>
      <Fact name="All jobs ended">
        <Time value={completedAt} stacked />
      </Fact>
    </Facts>
  </Section>
);
