import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-session';
import { useNow } from '../../ui/clock';
import { formatCount, formatDuration, formatJobs } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-tree';
import { Notice } from '../../ui/notice';
import { facts, Section } from '../../ui/page';
import { Elapsed, Time } from '../../ui/time';
import { type Timing, timingOf } from './critical-path';
import { rerunQuery, type Step, type WorkflowDetails, workflowQuery } from './queries';
import { workflowRoute } from '../../app/screens';
import { WorkflowActions } from './workflow-actions';
import { WorkflowGraph } from './workflow-graph';
import { timedSteps } from './workflow-shape';
import { WorkflowStatusBadge, workflowTitle } from './workflow-status';
import common from '../../ui/common.module.css';
import { ItemLink, QueueLink } from '../../parts/links';
import { JobStatusBadge } from '../../ui/job-status';
import { type Column, Table } from '../../ui/table';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';

/** Larger pictures say nothing; the table does. */
const mostNodes = 200;

/** One workflow: its jobs as a graph and as a table, and what took the time. */
export const WorkflowScreen = () => (
  <ItemPage
    query={useQuery(workflowQuery(workflowRoute.useParams().id))}
    kind="Workflow"
    back={<Link to="/workflows">Workflows</Link>}
    title={workflowTitle}
    badge={({ status }) => <WorkflowStatusBadge status={status} />}
    actions={(workflow) => <WorkflowActions workflow={workflow} />}
  >
    {(workflow) => <WorkflowParts workflow={workflow} />}
  </ItemPage>
);

function WorkflowParts({ workflow }: { workflow: WorkflowDetails }) {
  const { description, status, jobs, metadata } = workflow;
  const timing = timingOf(timedSteps(workflow, useNow()));
  const refused = useOperatorRefusal();
  const [from, setFrom] = useState<Step | null>(null);
  return (
    <>
      {description && <p className={common.muted}>{description}</p>}
      <WorkflowFacts workflow={workflow} timing={timing} />
      <Section
        title="Graph"
        aside={<span className={common.muted}>Thick lines and frames: the critical path, which decides the end</span>}
      >
        {jobs.length <= mostNodes ? (
          <WorkflowGraph
            workflow={workflow}
            timing={timing}
            refused={refused}
            onRetryFrom={status === 'cancelled' ? null : setFrom}
          />
        ) : (
          <Notice title={`${formatCount(jobs.length)} jobs are too many for a picture`}>The table shows them.</Notice>
        )}
      </Section>
      <StepsTable workflow={workflow} timing={timing} />
      {from && <RetryFromDialog workflow={workflow} step={from} onClose={() => setFrom(null)} />}
      <JsonSection title="Metadata" value={metadata} />
    </>
  );
}

function WorkflowFacts({ workflow, timing }: { workflow: WorkflowDetails; timing: Timing }) {
  const { progress, jobs, createdAt, startedAt, completedAt, status } = workflow;
  const slowest = jobs.find(({ id }) => id === timing.slowest);
  return facts({
    'Jobs completed': `${formatCount(progress.completed)} of ${formatCount(progress.total)}`,
    Failed: formatCount(progress.failed),
    Running: formatCount(progress.processing),
    Waiting: formatCount(progress.pending),
    Created: <Time value={createdAt} stacked />,
    Started: <Time value={startedAt} stacked />,
    Ended: <Time value={completedAt} stacked />,
    Took: <Elapsed from={startedAt} to={completedAt} isOver={status !== 'running' && status !== 'pending'} />,
    'Critical path':
      timing.criticalPath.length === 0
        ? '–'
        : `${formatCount(timing.criticalPath.length)} of ${formatCount(jobs.length)} jobs, ${formatDuration(timing.pathMs)}`,
    'Slowest job': slowest ? (
      <>
        <ItemLink to="/jobs/$id" id={slowest.id} text={slowest.key} />
        <div>{formatDuration(timing.slowestMs)}</div>
      </>
    ) : (
      '–'
    ),
  });
}

/** The jobs of a workflow with what each waits for, in the order in which they were declared. */
const StepsTable = ({ workflow, timing }: { workflow: WorkflowDetails; timing: Timing }) => (
  <Section title="Jobs">
    <Table label="Jobs of the workflow" columns={columnsFor(timing)} rows={workflow.jobs} rowKey={({ id }) => id} />
  </Section>
);

const columnsFor = ({ criticalPath, slowest }: Timing): Column<Step>[] => [
  {
    title: 'Job',
    isRowHeader: true,
    cell: ({ id, key }) => <ItemLink to="/jobs/$id" id={id} text={key} />,
  },
  { title: 'Status', cell: ({ status }) => <JobStatusBadge status={status} /> },
  { title: 'Queue', cell: ({ queueName }) => <QueueLink name={queueName} /> },
  {
    title: 'Waits for',
    cell: ({ dependsOn, dependencyMode }) =>
      dependsOn.length === 0 ? '–' : dependsOn.toSorted().join(dependencyMode === 'any' ? ' or ' : ', '),
  },
  {
    title: 'Ran',
    numeric: true,
    cell: ({ startedAt, completedAt, failedAt, status }) => (
      <Elapsed from={startedAt} to={completedAt ?? failedAt} isOver={status !== 'processing'} />
    ),
  },
  {
    title: 'Notes',
    cell: ({ id, error }) => (
      <>
        {[criticalPath.includes(id) && 'critical path', slowest === id && 'slowest'].filter(Boolean).join(', ')}{' '}
        {error && <span className={common.error}>{error.message}</span>}
      </>
    ),
  },
];

interface RetryFromDialogProps {
  workflow: WorkflowDetails;
  step: Step;
  onClose(): void;
}

/** Runs a job of a workflow and all that depend on it again, completed or not; the server says which. */
function RetryFromDialog({ workflow, step, onClose }: RetryFromDialogProps) {
  const plan = useQuery(rerunQuery(workflow.id, step.id));
  const { jobIds = [], problem } = plan.data ?? {};
  const retry = async () => {
    await api.workflows.retry(workflow.id, { fromJob: step.id });
    await refresh('workflows', 'jobs', 'queues');
    return `${formatJobs(jobIds.length)} run again from ${step.key}`;
  };
  return (
    <FormDialog
      title={`Retry from ${step.key}`}
      act={problem === null ? `Run ${formatJobs(jobIds.length)} again` : 'Retry'}
      disabled={problem !== null}
      onClose={onClose}
      onAct={retry}
    >
      <Loaded query={plan} lines={2}>
        {(found) =>
          found.problem === null ? (
            <RerunSteps workflow={workflow} steps={workflow.jobs.filter(({ id }) => found.jobIds.includes(id))} />
          ) : (
            <Notice tone="warn" title="Not possible now">
              {found.problem}.
            </Notice>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

function RerunSteps({ workflow, steps }: { workflow: WorkflowDetails; steps: Step[] }) {
  const repeated = steps.filter(({ status }) => status === 'completed').length;
  return (
    <>
      <Notice tone="info" title={`${formatJobs(steps.length)} of ${workflow.jobs.length} would run again`}>
        {steps.map(({ key }) => key).join(', ')}
      </Notice>
      <p>
        {repeated > 0 &&
          `${formatJobs(repeated)} among them completed: the results are replaced, and what they did is not undone. `}
        The others keep their results. Earlier attempts stay in the history of each job.
      </p>
    </>
  );
}
