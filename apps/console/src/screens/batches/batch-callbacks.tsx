import { useQuery } from '@tanstack/react-query';
import type { Batch } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { JobStatusBadge } from '../../ui/job-status';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { jobQuery } from '../job/queries';

interface Callback {
  name: string;
  when: string;
  jobId: string | null;
}

/** The jobs that the batch creates when its jobs have ended. */
export function BatchCallbacks({ batch: { callbackJobIds } }: { batch: Batch }) {
  const callbacks: Callback[] = [
    { name: 'on_success', when: 'all jobs of the closed batch have completed', jobId: callbackJobIds.onSuccess },
    { name: 'on_complete', when: 'all jobs of the closed batch have ended', jobId: callbackJobIds.onComplete },
    { name: 'on_death', when: 'a job is a dead letter for the first time', jobId: callbackJobIds.onDeath },
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
    cell: ({ jobId }) => (jobId === null ? 'None was created' : <CallbackJob id={jobId} />),
  },
];

/** Its state is read for itself, because the batch has its id alone. */
function CallbackJob({ id }: { id: string }) {
  const { data: job } = useQuery(jobQuery(id));
  return (
    <>
      <Link to="/jobs/$id" params={{ id }} title={id}>
        …{id.slice(-8)}
      </Link>{' '}
      {job && <JobStatusBadge status={job.status} />}
    </>
  );
}
