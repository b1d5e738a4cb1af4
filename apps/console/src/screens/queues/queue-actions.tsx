import type { QueueExplanation } from '@spooled/sdk/browser';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useAct } from '../../app/use-act';
import { useOperatorRefusal } from '../../app/use-operator-refusal';
import { ActButton } from '../../ui/act-button';
import { DeleteQueueDialog } from './delete-queue-dialog';
import { DrainQueueDialog } from './drain-dialog';
import { PauseQueueDialog } from './pause-dialog';

interface QueueActionsProps {
  name: string;
  /** Absent: the page shows the past, in which nothing can be changed. */
  problems: QueueExplanation['problems'] | undefined;
}

/** What can be done with a queue as a whole. */
export function QueueActions({ name, problems }: QueueActionsProps) {
  const operatorRefusal = useOperatorRefusal();
  const refused = problems ? operatorRefusal : 'the page shows the past';
  const [dialog, setDialog] = useState<'pause' | 'drain' | 'delete' | null>(null);
  const [busy, act] = useAct();
  const pause = problems?.find((problem) => problem.code === 'queue_paused');
  const resume = async () => {
    await api.queues.resume(name);
    await refresh('queues');
  };
  const props = { name, onClose: () => setDialog(null) };
  return (
    <>
      {pause && (
        <ActButton
          refused={refused}
          variant="primary"
          icon="play"
          isDisabled={busy}
          onPress={() => act(`${name} is resumed`, resume)}
        >
          Resume
        </ActButton>
      )}
      <ActButton refused={refused} icon="pause" onPress={() => setDialog('pause')}>
        {pause ? 'Change the pause…' : 'Pause…'}
      </ActButton>
      <ActButton refused={refused} onPress={() => setDialog('drain')}>
        Drain…
      </ActButton>
      <ActButton refused={refused} onPress={() => setDialog('delete')}>
        Delete…
      </ActButton>
      {dialog === 'pause' && <PauseQueueDialog {...props} present={pause?.details} />}
      {dialog === 'drain' && <DrainQueueDialog {...props} isPaused={pause !== undefined} />}
      {dialog === 'delete' && <DeleteQueueDialog {...props} />}
    </>
  );
}
