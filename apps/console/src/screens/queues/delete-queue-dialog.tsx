import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { formatCount, formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';

/** Deletes a queue with its jobs: counted first, confirmed by typing. */
export function DeleteQueueDialog({ name, onClose }: { name: string; onClose(): void }) {
  const navigate = useNavigate();
  const preview = useQuery({
    queryKey: ['queues', 'deletion', name],
    queryFn: ({ signal }) => api.queues.previewDeletion(name, { signal }),
  });
  const count = preview.data?.count;
  const remove = async () => {
    const operation = await api.queues.beginDeletion(name, { holdSeconds });
    showHeld(operation, (amount) => `${name} and ${amount} will be deleted`);
    await navigate({ to: '/queues' });
    await refresh('queues', 'jobs', 'operations');
  };
  return (
    <FormDialog
      title={`Delete ${name}`}
      act={count === undefined ? 'Delete' : `Delete the queue and ${formatJobs(count)}`}
      danger
      typed={name}
      disabled={count === undefined}
      onClose={onClose}
      onAct={remove}
    >
      <Loaded query={preview} lines={2}>
        {({ counts }) => (
          <Notice tone="danger" title={`The queue, its settings and ${formatJobs(counts.total)} would be deleted`}>
            {formatCount(counts.pending + counts.scheduled)} waiting, {formatCount(counts.processing)} in progress,{' '}
            {formatCount(counts.deadletter)} dead letters and {formatCount(counts.completed + counts.cancelled)} that
            have ended. Nothing of them can be brought back once it has begun, {holdSeconds} s from now.
          </Notice>
        )}
      </Loaded>
    </FormDialog>
  );
}
