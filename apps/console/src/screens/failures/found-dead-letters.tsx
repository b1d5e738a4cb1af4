import { useInfiniteQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { JobsTable } from '../jobs/jobs-table';
import { deadLettersQuery } from './queries';
import type { FailuresSearch } from './route';

const columns = 'queue,type,attempts,created,error';

/** The dead letters that a search finds, newest first. */
export function FoundDeadLetters({ search }: { search: FailuresSearch }) {
  const query = useInfiniteQuery(deadLettersQuery(search));
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const jobs = pages.flatMap(({ data }) => data);
        if (jobs.length === 0 && !query.hasNextPage) {
          return <Notice title="No dead letter matches">Remove a term to see more.</Notice>;
        }
        return (
          <JobsTable
            jobs={jobs}
            columns={columns}
            hasMore={query.hasNextPage}
            onEnd={() => void (query.isFetching || query.fetchNextPage())}
          />
        );
      }}
    </Loaded>
  );
}
