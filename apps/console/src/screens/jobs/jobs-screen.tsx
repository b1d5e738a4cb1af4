import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayEnqueue, mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { CancelJobsDialog } from './cancel-jobs-dialog';
import { EnqueueDialog } from './enqueue-dialog';
import { JobFilterBar } from './job-filters';
import { JobsTable } from './jobs-table';
import styles from './jobs-screen.module.css';
import { jobsQuery } from './queries';
import { jobsRoute } from './route';

/** Jobs that match the filters of the address, with acts on all of them. */
export function JobsScreen() {
  const search = jobsRoute.useSearch();
  const session = useSession();
  const [dialog, setDialog] = useState<'enqueue' | 'cancel' | null>(null);
  const close = () => setDialog(null);
  return (
    <Page
      title="Jobs"
      actions={
        <>
          {mayOperate(session) && <Button onPress={() => setDialog('cancel')}>Cancel many…</Button>}
          {mayEnqueue(session) && (
            <Button variant="primary" icon="plus" onPress={() => setDialog('enqueue')}>
              Enqueue
            </Button>
          )}
        </>
      }
    >
      <JobFilterBar search={search} />
      <JobList />
      {dialog === 'enqueue' && <EnqueueDialog initial={{ queueName: search.queue }} onClose={close} />}
      {dialog === 'cancel' && <CancelJobsDialog search={search} onClose={close} />}
    </Page>
  );
}

function JobList() {
  const search = jobsRoute.useSearch();
  const query = useInfiniteQuery(jobsQuery(search));
  return (
    <Loaded query={query} lines={10}>
      {({ pages }) => {
        const jobs = pages.flatMap(({ data }) => data);
        if (jobs.length === 0 && !query.hasNextPage) return <NoJobs isFiltered={Object.values(search).some(Boolean)} />;
        return (
          <>
            <div className={styles.summary} aria-live="polite">
              <span>
                {formatCount(jobs.length)} {query.hasNextPage ? 'shown, more follow as you scroll' : 'in all'}
              </span>
              {pages.length > 1 && (
                <Button size="s" icon="refresh" onPress={() => void query.refetch()} isDisabled={query.isRefetching}>
                  Read again
                </Button>
              )}
            </div>
            <JobsTable
              jobs={jobs}
              hasMore={query.hasNextPage}
              onEnd={() => void (query.isFetching || query.fetchNextPage())}
            />
          </>
        );
      }}
    </Loaded>
  );
}

const NoJobs = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No job matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="There are no jobs yet">Enqueue one here, or with an API key from your application.</Notice>
  );
