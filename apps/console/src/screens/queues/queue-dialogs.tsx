import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatCount, formatJobs } from '../../ui/format';
import { toast } from '../../ui/toast';
import { queueCountsQuery } from './queries';

interface DialogProps {
  name: string;
  onClose(): void;
}

export function PauseQueueDialog({ name, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const pause = async () => {
    await api.queues.pause(name, reason.trim() || undefined);
    await refresh('queues');
    toast.done(`${name} is paused`);
  };
  return (
    <FormDialog title={`Pause ${name}`} act="Pause the queue" onClose={onClose} onAct={pause}>
      <p>
        Workers get no more jobs of this queue until it is resumed. Jobs that run now go on, and new jobs are still
        accepted.
      </p>
      <TextField
        label="Reason"
        hint="Everybody who asks why the queue stands still sees it."
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

export function DeleteQueueDialog({ name, onClose }: DialogProps) {
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
