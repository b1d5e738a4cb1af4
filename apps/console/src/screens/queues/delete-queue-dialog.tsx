import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { formatCount, formatJobs } from '../../ui/format';
import { toast } from '../../ui/toast';
import { queueCountsQuery } from './queries';

interface DeleteQueueDialogProps {
  name: string;
  onClose(): void;
}

/** Deletes a queue with its jobs: counted first, confirmed by typing. */
export function DeleteQueueDialog({ name, onClose }: DeleteQueueDialogProps) {
  const navigate = useNavigate();
  const counts = useQuery(queueCountsQuery(name));
  const total = counts.data?.total;
  const remove = async () => {
    await api.queues.delete(name, { deleteJobs: true });
    await navigate({ to: '/queues' });
    await refresh('queues', 'jobs');
    toast.done(`${name} is being deleted`);
  };
  return (
    <FormDialog
      title={`Delete ${name}`}
      act={total === undefined ? 'Delete' : `Delete the queue and ${formatJobs(total)}`}
      danger
      typed={name}
      disabled={total === undefined}
      onClose={onClose}
      onAct={remove}
    >
      <p>
        The queue, its settings and all of its jobs ({total === undefined ? 'counting…' : formatCount(total)}) are
        deleted, also those that have ended. This cannot be undone.
      </p>
    </FormDialog>
  );
}
