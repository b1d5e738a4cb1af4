import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { JobsTable } from '../jobs/jobs-table';
import { deadLettersQuery } from './queries';
import type { FailuresSearch } from '../../app/screens';

const columns = 'queue,type,attempts,created,error';

/** The dead letters that a search finds, newest first. */
export const FoundDeadLetters = ({ search }: { search: FailuresSearch }) => (
  <LoadedRows
    query={useInfiniteQuery(deadLettersQuery(search))}
    lines={8}
    empty={<Notice title="No dead letter matches">Remove a term to see more.</Notice>}
  >
    {(jobs, more) => <JobsTable jobs={jobs} columns={columns} {...more} />}
  </LoadedRows>
);
