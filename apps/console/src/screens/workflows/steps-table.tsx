import { Link } from '@tanstack/react-router';
import { QueueLink } from '../../parts/links';
import { JobStatusBadge } from '../../ui/job-status';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import type { Timing } from './critical-path';
import { Elapsed } from '../../ui/elapsed';
import type { Step, WorkflowDetails } from './queries';
import common from '../../ui/common.module.css';

/** The jobs of a workflow with what each waits for, in the order in which they were declared. */
export const StepsTable = ({ workflow, timing }: { workflow: WorkflowDetails; timing: Timing }) => (
  <Section title="Jobs">
    <Table label="Jobs of the workflow" columns={columnsFor(timing)} rows={workflow.jobs} rowKey={({ id }) => id} />
  </Section>
);

const columnsFor = ({ criticalPath, slowest }: Timing): Column<Step>[] => [
  {
    title: 'Job',
    isRowHeader: true,
    cell: ({ id, key }) => (
      <Link to="/jobs/$id" params={{ id }}>
        {key}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <JobStatusBadge status={status} /> },
  {
    title: 'Queue',
    cell: ({ queueName }) => <QueueLink name={queueName} />,
  },
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
