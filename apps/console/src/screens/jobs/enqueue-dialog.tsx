import type { NewJob } from '@spooled/sdk/browser';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { toast } from '../../ui/toast';
import styles from './jobs-screen.module.css';
import { readJson } from '../../ui/json-text';

interface EnqueueDialogProps {
  /** To begin with, such as a copy of another job. */
  initial: Partial<Pick<NewJob, 'queueName' | 'priority' | 'maxRetries' | 'timeoutSeconds' | 'tags'>> & {
    payload?: string;
  };
  title?: string;
  onClose(): void;
}

/** What a copy of a job keeps without a field of the form. */
const keptOf = ({ tags, maxRetries, timeoutSeconds }: EnqueueDialogProps['initial']) => ({
  ...(tags != null && { tags }),
  ...(maxRetries != null && { maxRetries }),
  ...(timeoutSeconds != null && { timeoutSeconds }),
});

/** Creates a job, now or for later. */
export function EnqueueDialog({ initial, title = 'Enqueue a job', onClose }: EnqueueDialogProps) {
  const navigate = useNavigate();
  const [queueName, setQueueName] = useState(initial.queueName ?? '');
  const [payload, setPayload] = useState(initial.payload ?? '{}');
  const [priority, setPriority] = useState(String(initial.priority ?? ''));
  const [at, setAt] = useState('');
  const { value, error } = readJson(payload);
  const enqueue = async () => {
    const { id } = await api.jobs.create({
      queueName: queueName.trim(),
      payload: value,
      ...keptOf(initial),
      ...(priority !== '' && { priority: Number(priority) }),
      ...(at !== '' && { scheduledAt: new Date(at).toISOString() }),
    });
    await refresh('jobs', 'queues');
    toast.done('The job is enqueued');
    await navigate({ to: '/jobs/$id', params: { id } });
  };
  return (
    <FormDialog
      title={title}
      size="l"
      act="Enqueue"
      disabled={error !== null || queueName.trim() === ''}
      onClose={onClose}
      onAct={enqueue}
    >
      <div className={styles.fields}>
        <TextField label="Queue" value={queueName} onChange={setQueueName} required />
        <TextField
          label="Priority"
          type="number"
          value={priority}
          onChange={setPriority}
          hint="Higher first. Empty: 0."
        />
        <TextField
          label="Start at"
          type="datetime-local"
          value={at}
          onChange={setAt}
          hint="In your time zone. Empty: now."
        />
      </div>
      <TextArea label="Payload (JSON)" monospaced rows={12} value={payload} onChange={setPayload} error={error} />
    </FormDialog>
  );
}
