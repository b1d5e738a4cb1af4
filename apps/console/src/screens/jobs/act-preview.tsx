import type { OperationPreview } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { type Column, Table } from '../../ui/table';
import { jobQuery } from '../job/queries';
import { JobLink } from '../../parts/links';
import { ErrorText } from './columns';
import styles from './jobs-screen.module.css';

type SampledJob = OperationPreview['sample'][number];

const columns: Column<SampledJob>[] = [
  { title: 'Job', isRowHeader: true, cell: ({ jobId }) => <JobLink id={jobId} /> },
  { title: 'Queue', cell: ({ queueName }) => queueName },
  { title: 'Type', cell: ({ jobType }) => jobType || '–' },
];

const problemColumn: Column<SampledJob> = {
  title: 'Stays, because',
  width: '40%',
  cell: ({ problem }) => <ErrorText text={problem} />,
};

/** The first jobs that an act takes, those that it would refuse, and the payload of one before and after a patch. */
export function ActPreview({ preview, isPatched }: { preview: OperationPreview; isPatched: boolean }) {
  const { sample, count } = preview;
  const [first] = sample;
  if (!first) return null;
  const refused = sample.filter(({ problem }) => problem !== null).length;
  return (
    <>
      {refused > 0 && <p>{`${refused} of the first ${sample.length} could not be changed.`}</p>}
      <Table
        label={sample.length < count ? `The first ${sample.length} jobs` : 'Jobs'}
        columns={refused > 0 ? [...columns, problemColumn] : columns}
        rows={sample}
        rowKey={({ jobId }) => jobId}
      />
      {isPatched && <BeforeAndAfter job={first} />}
    </>
  );
}

function BeforeAndAfter({ job: { jobId, payload } }: { job: SampledJob }) {
  const query = useQuery(jobQuery(jobId));
  return (
    <div className={styles.compared}>
      <div>
        <p>First job, before</p>
        <Loaded query={query} lines={2}>
          {(job) => <JsonTree label="Payload before" value={job.payload} />}
        </Loaded>
      </div>
      <div>
        <p>After the patch</p>
        <JsonTree label="Payload after" value={payload} />
      </div>
    </div>
  );
}
