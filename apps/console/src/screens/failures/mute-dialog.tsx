import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { toast } from '../../ui/toast';
import type { FailureCause } from './queries';

const ends = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
] as const;
type End = (typeof ends)[number]['value'];

/** Makes a cause no problem for a time, for a reason. */
export function MuteDialog({ cause: { id, error, muted }, onClose }: { cause: FailureCause; onClose(): void }) {
  const [reason, setReason] = useState(muted?.reason ?? '');
  const [end, setEnd] = useState<End>('14400');
  const mute = async () => {
    await api.jobs.deadLetters.mute(id, { reason: reason.trim(), expiresInSeconds: Number(end) });
    await refreshMutes();
    toast.done('The cause is muted');
  };
  return (
    <FormDialog
      title={muted ? 'Change the mute of a cause' : 'Mute a cause'}
      act="Mute"
      disabled={reason.trim() === ''}
      onClose={onClose}
      onAct={mute}
    >
      <p>
        “{error || 'No error text'}” is no problem until then, in any queue. It stays in this list, and its dead letters
        are counted.
      </p>
      <TextField label="Reason" hint="Shown to everybody who looks at the cause." value={reason} onChange={setReason} />
      <SelectField<End> label="For" value={end} onChange={setEnd} choices={ends} />
    </FormDialog>
  );
}

/** Ends a mute before its time. */
export async function unmute({ id }: FailureCause): Promise<void> {
  try {
    await api.jobs.deadLetters.unmute(id);
    toast.done('The cause is no longer muted');
  } catch (error) {
    toast.failed('The cause is still muted', error);
  }
  await refreshMutes();
}

const refreshMutes = (): Promise<unknown> => refresh('jobs');
