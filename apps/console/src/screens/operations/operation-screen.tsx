import { useQuery } from '@tanstack/react-query';
import type { OperationDetails } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-refusal';
import { ActButton } from '../../ui/act-button';
import { formatCount } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-section';
import { Fact, Facts, Section, TimeFact } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { actorName } from '../../parts/actor-name';
import { JobLink, QueueLink } from '../../parts/links';
import { CancelOperationDialog } from './cancel-operation-dialog';
import { ChangedJobs } from './changed-jobs';
import { kindName, operationTarget } from '../../parts/operation-names';
import { HeldNotice } from './held-notice';
import { OperationProgress } from './operation-progress';
import { OperationStateBadge } from './operation-state';
import { operationQuery } from './queries';
import { operationRoute } from './route';

/** One operation, in progress or ended. */
export const OperationScreen = () => (
  <ItemPage
    query={useQuery(operationQuery(operationRoute.useParams().id))}
    kind="Operation"
    back={<Link to="/operations">Operations</Link>}
    title={({ kind }) => kindName(kind)}
    badge={({ state }) => <OperationStateBadge status={state} />}
    actions={(operation) => <CancelOperation operation={operation} />}
  >
    {(operation) => (
      <>
        {operation.state === 'held' && <HeldNotice operation={operation} />}
        <OperationProgress operation={operation} />
        <OperationFacts operation={operation} />
        <JobsWithReason title="Jobs that could not be taken" jobs={operation.refusedJobs} count={operation.refused} />
        <JobsWithReason title="Jobs that failed again" jobs={operation.failedJobs} count={operation.failed} />
        <JsonSection title="Change of the payload" value={operation.payloadPatch} />
        {operation.listsJobs && operation.processed > operation.refused && <ChangedJobs operation={operation} />}
      </>
    )}
  </ItemPage>
);

/** A held one is undone instead. */
function CancelOperation({ operation }: { operation: OperationDetails }) {
  const refused = useOperatorRefusal();
  const [isCancelling, setCancelling] = useState(false);
  if (operation.endedAt !== null || operation.state === 'held') return null;
  return (
    <>
      <ActButton refused={refused} variant="danger" icon="stop" onPress={() => setCancelling(true)}>
        Cancel operation…
      </ActButton>
      {isCancelling && <CancelOperationDialog operation={operation} onClose={() => setCancelling(false)} />}
    </>
  );
}

type JobWithReason = OperationDetails['failedJobs'][number];

const reasonColumns: Column<JobWithReason>[] = [
  {
    title: 'Job',
    isRowHeader: true,
    cell: ({ jobId }) => <JobLink id={jobId} />,
  },
  { title: 'Why', width: '80%', cell: ({ error }) => error ?? '–' },
];

interface JobsWithReasonProps {
  title: string;
  jobs: readonly JobWithReason[];
  /** Of all of them. */
  count: number;
}

/** The first of the jobs that something is wrong with; nothing without any. */
const JobsWithReason = ({ title, jobs, count }: JobsWithReasonProps) =>
  jobs.length > 0 && (
    <Section title={title} aside={`${formatCount(jobs.length)} of ${formatCount(count)}`}>
      <Table label={title} columns={reasonColumns} rows={jobs} rowKey={({ jobId }) => jobId} />
    </Section>
  );

function OperationFacts({ operation }: { operation: OperationDetails }) {
  const { filter, options, actor, createdAt, startedAt, endedAt } = operation;
  return (
    <Facts>
      <Fact name="Of">{operationTarget(operation)}</Fact>
      <Fact name="By">{actorName(actor)}</Fact>
      <TimeFact name="Requested" value={createdAt} />
      <TimeFact name="Begun" value={startedAt} />
      <TimeFact name="Ended" value={endedAt} />
      {filter.groupId && (
        <Fact name="Cause">
          <Link to="/failures/$id" params={{ id: filter.groupId }}>
            Failures of this cause
          </Link>
        </Fact>
      )}
      {filter.queueName && (
        <Fact name="Queue">
          <QueueLink name={filter.queueName} />
        </Fact>
      )}
      {filter.jobIds && <Fact name="Chosen jobs">{formatCount(filter.jobIds.length)}</Fact>}
      {options.perSecond && <Fact name="Rate">{`${formatCount(options.perSecond)} jobs/s`}</Fact>}
      {typeof options.maxFailureShare === 'number' && (
        <Fact name="Stops when">
          {`more than ${Math.round(options.maxFailureShare * 100)} % fail again, of at least ${formatCount(options.minEnded ?? 10)} ended`}
        </Fact>
      )}
    </Facts>
  );
}
