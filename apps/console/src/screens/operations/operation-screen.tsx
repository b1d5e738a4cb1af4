import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Operation, OperationDetails, OperationJob } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-session';
import { Button } from '../../ui/button';
import { DialogButton } from '../../ui/dialog-buttons';
import { formatCount, formatDuration, formatJobs } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-tree';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { type Column, Table } from '../../ui/table';
import { actorName } from '../../parts/actor-name';
import { ItemLink, JobLink, QueueLink } from '../../parts/links';
import { formatAmount, kindName, operationTarget } from '../../parts/operation-names';
import { OperationProgress } from './operation-progress';
import { OperationStateBadge } from './operation-state';
import { changedJobsQuery, operationQuery } from './queries';
import { operationRoute } from '../../app/screens';
import { LoadedRows } from '../../ui/loaded-rows';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import common from '../../ui/common.module.css';
import { undo } from '../../parts/held-operations';
import { useNow } from '../../ui/clock';
import { Notice } from '../../ui/notice';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';

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
  if (operation.endedAt !== null || operation.state === 'held') return null;
  return (
    <DialogButton
      of={{ operation }}
      label="Cancel operation…"
      variant="danger"
      icon="stop"
      refused={refused}
      dialog={CancelOperationDialog}
    />
  );
}

type JobWithReason = OperationDetails['failedJobs'][number];

const reasonColumns: Column<JobWithReason>[] = [
  { title: 'Job', isRowHeader: true, cell: ({ jobId }) => <JobLink id={jobId} /> },
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
  return facts({
    Of: operationTarget(operation),
    By: actorName(actor),
    Requested: <Time value={createdAt} stacked />,
    Begun: <Time value={startedAt} stacked />,
    Ended: <Time value={endedAt} stacked />,
    Cause: filter.groupId && <ItemLink to="/failures/$id" id={filter.groupId} text="Failures of this cause" />,
    Queue: filter.queueName && <QueueLink name={filter.queueName} />,
    'Chosen jobs': filter.jobIds && formatCount(filter.jobIds.length),
    Rate: options.perSecond && `${formatCount(options.perSecond)} jobs/s`,
    'Stops when':
      typeof options.maxFailureShare === 'number' &&
      `more than ${Math.round(options.maxFailureShare * 100)} % fail again, of at least ${formatCount(options.minEnded ?? 10)} ended`,
  });
}

const outcomes: Record<OperationJob['outcome'], string> = {
  waiting: 'Not ended yet',
  succeeded: 'Succeeded',
  failed: 'Failed again',
  ended_otherwise: 'Cancelled or deleted',
  refused: 'Refused',
};

const jobColumn: VirtualColumn<OperationJob> = {
  title: 'Job',
  width: 'minmax(20rem, 1fr)',
  cell: ({ jobId }) => (
    <Link to="/jobs/$id" params={{ id: jobId }} className={common.id}>
      {jobId}
    </Link>
  ),
};
const columns: VirtualColumn<OperationJob>[] = [jobColumn];
const replayColumns: VirtualColumn<OperationJob>[] = [
  jobColumn,
  { title: 'Since then', width: '12rem', cell: ({ outcome }) => outcomes[outcome] ?? outcome },
];

/** The jobs that stay changed after an undo. Nothing is kept about deleted ones. */
function ChangedJobs({ operation }: { operation: Operation }) {
  const query = useInfiniteQuery(changedJobsQuery(operation));
  const { kind, processed, refused } = operation;
  return (
    <Section title="Jobs that it has changed" aside={formatCount(processed - refused)}>
      <LoadedRows query={query} lines={6} empty={null}>
        {(rows, more) => (
          <VirtualTable
            label="Jobs that it has changed"
            columns={kind === 'deadletter.replay' ? replayColumns : columns}
            rows={rows}
            rowKey={({ jobId }) => jobId}
            width={34}
            {...more}
          />
        )}
      </LoadedRows>
    </Section>
  );
}

/** An operation that has not begun: how long it can be undone. */
function HeldNotice({ operation: { id, startsAt, total } }: { operation: Operation }) {
  const refused = useOperatorRefusal();
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const left = startsAt === null ? 0 : Math.max(0, Math.ceil((new Date(startsAt).getTime() - now) / 1_000));
  const press = async () => {
    setBusy(true);
    await undo(id);
    setBusy(false);
  };
  return (
    <Notice
      tone="warn"
      title={left === 0 ? 'It begins now' : `It begins in ${left < 60 ? `${left} s` : formatDuration(left * 1_000)}`}
      action={
        <Button refused={refused} variant="primary" isDisabled={busy} onPress={() => void press()}>
          Undo
        </Button>
      }
    >
      {total === null ? 'Many jobs matched' : `${formatJobs(total)} matched`} when it was requested. Until it begins
      nothing is changed.
    </Notice>
  );
}

/** Ends an operation early. What it has done stays done. */
function CancelOperationDialog({ operation, onClose }: { operation: Operation; onClose(): void }) {
  const cancel = async () => {
    const { reason } = await api.operations.cancel(operation.id);
    await refresh('operations', 'jobs', 'failures');
    return reason ?? 'The operation is cancelled';
  };
  return (
    <FormDialog title="Cancel this operation" act="Cancel the operation" danger onClose={onClose} onAct={cancel}>
      <p>
        It ends after the step in progress. What it has changed by then stays changed, now{' '}
        {formatAmount(operation, operation.processed - operation.refused)}; the others are not touched.
      </p>
    </FormDialog>
  );
}
