import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { Checkbox, TextField } from '../../ui/field';
import { toast } from '../../ui/toast';

/** Asks the worker of a job to end it, or ends its lease. */
export function CancelRunningDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const cancel = async () => {
    const text = reason.trim();
    const { status } = await api.jobs.requestCancellation(id, { force, ...(text !== '' && { reason: text }) });
    await refresh('jobs', 'queues');
    toast.done(status === 'cancelled' ? 'The job is cancelled' : 'Its worker is asked to end the job');
  };
  return (
    <FormDialog title="Cancel this running job" act="Cancel the job" danger onClose={onClose} onAct={cancel}>
      <p>Its worker is asked to end it. The job is not retried; if the worker completes it first, it is completed.</p>
      <TextField label="Reason" hint="For the history of the job" value={reason} onChange={setReason} />
      <Checkbox label="Cancel at once, and refuse what its worker reports" checked={force} onChange={setForce} />
    </FormDialog>
  );
}
