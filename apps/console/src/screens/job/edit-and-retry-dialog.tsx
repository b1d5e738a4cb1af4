import type { Job } from '@spooled/sdk/browser';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea } from '../../ui/field';
import { mergePatch, prettyJson, readJson } from '../../ui/json-text';
import { toast } from '../../ui/toast';
import { SideEffects } from './side-effects';

const notPossible =
  'A retry can change members of an object, but not set one to null or replace a payload that is no object: enqueue a copy instead.';

/** Retries a dead letter with a changed payload. Only the changed members are sent. */
export function EditAndRetryDialog({ job, onClose }: { job: Job; onClose(): void }) {
  // Somebody else may change it in the meantime: the patch has the edits of the user alone.
  const [opened] = useState(job.payload);
  const [text, setText] = useState(() => prettyJson(opened));
  const { value, error } = readJson(text);
  const patch = error === null ? mergePatch(opened, value) : null;
  const problem = error ?? (patch === null ? notPossible : null);
  const retry = async () => {
    const isChanged = Object.keys(patch ?? {}).length > 0;
    if (!isChanged) await api.jobs.retry(job.id);
    else await replay(job.id, patch!);
    await refresh('jobs', 'queues', 'operations');
    toast.done(isChanged ? 'The job is retried with the changed payload' : 'The job is retried');
  };
  return (
    <FormDialog
      title="Edit and retry"
      size="l"
      act="Retry with this payload"
      disabled={problem !== null}
      onClose={onClose}
      onAct={retry}
    >
      <TextArea label="Payload (JSON)" monospaced rows={16} value={text} onChange={setText} error={problem} />
      <SideEffects id={job.id} />
    </FormDialog>
  );
}

/** @throws Error with the server's reason when the job was refused */
async function replay(id: string, payloadPatch: Record<string, unknown>): Promise<void> {
  const { id: operation } = await api.jobs.deadLetters.replay({ jobIds: [id], payloadPatch });
  const { refusedJobs, reason, processed, refused } = await api.operations.finished(operation);
  const problem =
    refusedJobs[0]?.error ?? (processed - refused < 1 ? (reason ?? 'The job is no dead letter any more') : null);
  if (problem !== null) throw new Error(problem);
}
