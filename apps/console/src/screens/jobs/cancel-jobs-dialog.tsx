import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { filterWords } from '../../parts/filter-words';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import type { CancellationFilter } from './cancellation';

/** Cancels the jobs of a filter that no worker holds, on every page: counted first, confirmed by typing. */
export function CancelJobsDialog({ filter, onClose }: { filter: CancellationFilter; onClose(): void }) {
  const preview = useQuery({
    queryKey: ['jobs', 'cancellation', filter],
    queryFn: ({ signal }) => api.operations.previewCancelJobs(filter, { signal }),
  });
  const count = preview.data?.count;
  const cancel = async () => {
    const { id } = await api.operations.cancelJobs({ ...filter, holdSeconds });
    showHeld(id, `${amount(count ?? 0, preview.data?.hasMore)} of ${filter.queueName} will be cancelled`);
    await refresh('jobs', 'queues', 'operations');
  };
  return (
    <FormDialog
      title={`Cancel ${filterWords('jobs', filter)}`}
      act={count === undefined ? 'Cancel jobs' : `Cancel ${amount(count, preview.data?.hasMore)}`}
      danger
      typed={filter.queueName}
      disabled={!count}
      onClose={onClose}
      onAct={cancel}
    >
      <p>Cancels jobs that wait, are scheduled or wait to retry. Jobs that a worker holds continue.</p>
      <Loaded query={preview} lines={1}>
        {({ count: found, hasMore }) => (
          <Notice tone={found === 0 ? 'neutral' : 'warn'} title={`${amount(found, hasMore)} would be cancelled`} />
        )}
      </Loaded>
    </FormDialog>
  );
}

const amount = (count: number, hasMore = false): string => (hasMore ? 'more than ' : '') + formatJobs(count);
