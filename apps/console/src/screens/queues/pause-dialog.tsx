import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { formatCount } from '../../ui/format';
import { TimeField } from '../../ui/time-field';
import { inTurn } from './in-turn';
import { type PauseEnd, pauseEndOf, pauseEnds } from './pause-end';
import { serverNow } from '../../ui/server-time';

interface PauseQueueDialogProps {
  names: readonly string[];
  /** Called when all are paused. */
  onDone?(): void;
  /** Of a queue that is paused: a later pause replaces it. */
  present?: { reason: string | null; expires_at: string | null };
  onClose(): void;
}

/** Pauses queues with a reason, until somebody resumes it or until a time. */
export function PauseQueueDialog({ names, present, onClose, onDone }: PauseQueueDialogProps) {
  const [reason, setReason] = useState(present?.reason ?? '');
  const [end, setEnd] = useState<PauseEnd>(present?.expires_at ? 'time' : 'resumed');
  const [time, setTime] = useState(present?.expires_at ?? '');
  const { body, problem } = pauseEndOf(end, time, serverNow());
  const isOne = names.length === 1;
  const subject = isOne ? names[0]! : `${formatCount(names.length)} queues`;
  const pause = async () => {
    const change = { reason: reason.trim() || null, ...body };
    try {
      await inTurn(names, (name) => api.queues.pause(name, change));
    } finally {
      await refresh('queues');
    }
    onDone?.();
    return isOne ? `${subject} is paused` : `${subject} are paused`;
  };
  return (
    <FormDialog
      title={present ? `Change the pause of ${subject}` : `Pause ${subject}`}
      act={present ? 'Change the pause' : isOne ? 'Pause the queue' : 'Pause the queues'}
      disabled={problem !== null || (end === 'time' && time === '')}
      onClose={onClose}
      onAct={pause}
    >
      <p>
        Workers get no more jobs of {isOne ? 'this queue until it is' : 'these queues until they are'} resumed. Running
        jobs continue, and new jobs are still accepted.
      </p>
      <TextField
        label="Reason"
        hint="Shown to everybody who asks why the queue is stopped."
        value={reason}
        onChange={setReason}
      />
      <SelectField<PauseEnd> label="It is resumed" value={end} onChange={setEnd} choices={pauseEnds} />
      {end === 'time' && (
        <TimeField
          label="Time"
          value={time}
          onChange={(chosen) => setTime(chosen ?? '')}
          error={problem}
          hint="At most 30 days ahead."
        />
      )}
    </FormDialog>
  );
}
