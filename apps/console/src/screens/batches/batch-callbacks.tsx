import { useQuery } from '@tanstack/react-query';
import type { Batch } from '@spooled/sdk/browser';
import { JobLink } from '../../parts/links';
import { type JobStatus, JobStatusBadge } from '../../ui/job-status';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { callbackStatusesQuery } from './queries';

interface Callback {
  name: Batch['callbacks'][number];
  when: string;
  isDeclared: boolean;
  jobId: string | null;
  status: JobStatus | undefined;
}

/** The jobs that the batch creates when its jobs have ended. */
export function BatchCallbacks({ batch: { callbacks: declared, callbackJobIds } }: { batch: Batch }) {
  const { onSuccess, onComplete, onDeath } = callbackJobIds;
  const { data = [] } = useQuery(callbackStatusesQuery([onSuccess, onComplete, onDeath].filter((id) => id !== null)));
  const callback = (name: Callback['name'], when: string, jobId: string | null): Callback => {
    return {
      name,
      when,
      isDeclared: declared.includes(name),
      jobId,
      status: data.find(({ id }) => id === jobId)?.status,
    };
  };
  const callbacks = [
    callback('on_success', 'all jobs of the closed batch have completed', onSuccess),
    callback('on_complete', 'all jobs of the closed batch have ended', onComplete),
    callback('on_death', 'a job is a dead letter for the first time', onDeath),
  ];
  return (
    <Section title="Callbacks">
      <Table label="Callbacks" columns={columns} rows={callbacks} rowKey={({ name }) => name} />
    </Section>
  );
}

const columns: Column<Callback>[] = [
  { title: 'Callback', isRowHeader: true, width: '8rem', cell: ({ name }) => <code>{name}</code> },
  { title: 'Created when', cell: ({ when }) => when },
  {
    title: 'Job',
    width: '50%',
    cell: ({ isDeclared, jobId, status }) =>
      jobId === null ? (
        isDeclared ? (
          'Not created yet'
        ) : (
          'The batch was created without it'
        )
      ) : (
        <>
          <JobLink id={jobId} /> {status && <JobStatusBadge status={status} />}
        </>
      ),
  },
];
