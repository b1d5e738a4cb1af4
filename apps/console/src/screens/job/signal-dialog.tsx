import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea } from '../../ui/field';
import { readJson } from '../../ui/json-text';
import { toast } from '../../ui/toast';

/** Gives a job the signal that it waits for. */
export function SignalDialog({ id, step, onClose }: { id: string; step: string; onClose(): void }) {
  const [text, setText] = useState('{}');
  const { value, error } = readJson(text);
  const resume = async () => {
    const { accepted } = await api.jobs.signal(id, { step, payload: value });
    await refresh('jobs', 'queues');
    if (!accepted) throw new Error('An earlier signal counts');
    toast.done('The job goes on');
  };
  return (
    <FormDialog title="Resume this job" act="Resume the job" disabled={error !== null} onClose={onClose} onAct={resume}>
      <p>Its handler gets this value as the signal “{step}”. Only the first one counts.</p>
      <TextArea label="Payload (JSON)" monospaced rows={8} value={text} onChange={setText} error={error} />
    </FormDialog>
  );
}
