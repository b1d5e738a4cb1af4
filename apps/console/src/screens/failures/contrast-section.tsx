import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button';
import { formatTime } from '../../ui/format';
import { useHiddenPaths } from '../../ui/hidden-values';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { type Difference, fewestJobs } from './contrast';
import type { ContrastSample } from './contrast-sample';
import common from '../../ui/common.module.css';
import styles from './failures.module.css';
import { contrastQuery, type FailureGroupDetails } from './queries';

interface ContrastSectionProps {
  details: FailureGroupDetails;
  /** Of the details. */
  search: string | undefined;
}

/** What jobs that fail have more often than jobs of the same queue and type that complete. */
export function ContrastSection(props: ContrastSectionProps) {
  const { data, isFetching, error, refetch } = useQuery(contrastQuery(props, useHiddenPaths()));
  return (
    <Section
      title="What failed jobs have in common"
      aside={
        <Button size="s" isDisabled={isFetching} onPress={() => void refetch()}>
          {isFetching ? 'Comparing…' : data ? 'Compare again' : 'Compare with completed jobs'}
        </Button>
      }
    >
      {data ? (
        <Differences sample={data} />
      ) : (
        <p className={common.muted}>
          {error
            ? 'The jobs could not be read. Compare again in a moment.'
            : 'Compares the newest dead letters with completed jobs of the same queue, type and time: workers, callers, tags and payload members.'}
        </p>
      )}
    </Section>
  );
}

const columns = (sample: ContrastSample): Column<Difference>[] => [
  { title: 'What', isRowHeader: true, cell: ({ kind }) => kind },
  { title: 'Value', cell: ({ value }) => <span className={styles.cause}>{value}</span> },
  { title: 'Of failed', numeric: true, cell: ({ failed }) => `${failed} of ${sample.failedSize}` },
  { title: 'Of completed', numeric: true, cell: ({ completed }) => `${completed} of ${sample.completedSize}` },
];

function Differences({ sample }: { sample: ContrastSample }) {
  const { differences, failedSize, completedSize, compared, from, to } = sample;
  const period = `created from ${formatTime(new Date(from))} to ${formatTime(new Date(to))}`;
  if (failedSize < fewestJobs || completedSize < fewestJobs) {
    return (
      <Notice title="Too few jobs to compare">
        There are {failedSize} failed and {completedSize} completed jobs {period}. At least {fewestJobs} of each are
        needed.
      </Notice>
    );
  }
  const size = `A sample of ${failedSize} failed and ${completedSize} completed jobs, ${period}; ${compared} values were compared.`;
  if (differences.length === 0) return <Notice title="Nothing differs by more than chance explains">{size}</Notice>;
  return (
    <>
      <Table
        label="Differences from completed jobs"
        columns={columns(sample)}
        rows={differences}
        rowKey={({ kind, value }) => `${kind} ${value}`}
      />
      <p className={common.muted}>{size} Only differences that chance hardly explains are listed.</p>
    </>
  );
}
