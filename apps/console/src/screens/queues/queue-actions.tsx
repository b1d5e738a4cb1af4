import type { QueueExplanation } from '@spooled/sdk/browser';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useAct } from '../../app/use-act';
import { mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { ActButton } from '../../ui/act-button';
import { Button } from '../../ui/button';
import { DeleteQueueDialog } from './delete-queue-dialog';
import { DrainQueueDialog } from './drain-dialog';
import { PauseQueueDialog } from './pause-dialog';
import { ThrottleDialog } from './throttle-dialog';

interface QueueActionsProps {
  name: string;
  /** Absent: the page shows the past, in which nothing can be changed. */
  problems: QueueExplanation['problems'] | undefined;
}

/** What can be done with a queue as a whole. */
export function QueueActions({ name, problems }: QueueActionsProps) {
  const session = useSession();
  const [dialog, setDialog] = useState<'pause' | 'throttle' | 'drain' | 'delete' | null>(null);
  const [busy, act] = useAct();
  if (!mayOperate(session)) return null;
  const refused = problems ? null : 'the page shows the past';
  const pause = problems?.find((problem) => problem.code === 'queue_paused');
  const resume = async () => {
    await api.queues.resume(name);
    await refresh('queues');
  };
  const props = { name, onClose: () => setDialog(null) };
  return (
    <>
      {pause && (
        <Button variant="primary" icon="play" isDisabled={busy} onPress={() => act(`${name} is resumed`, resume)}>
          Resume
        </Button>
      )}
      <ActButton refused={refused} icon="pause" onPress={() => setDialog('pause')}>
        {pause ? 'Change the pause…' : 'Pause…'}
      </ActButton>
      <ActButton refused={refused} onPress={() => setDialog('throttle')}>
        Throttle…
      </ActButton>
      <ActButton refused={refused} onPress={() => setDialog('drain')}>
        Drain…
      </ActButton>
      <ActButton refused={refused} onPress={() => setDialog('delete')}>
        Delete…
      </ActButton>
      {dialog === 'pause' && <PauseQueueDialog names={[name]} onClose={props.onClose} present={pause?.details} />}
      {dialog === 'throttle' && (
        <ThrottleDialog flood={{ queueName: name, subjects: [{ kind: 'queue' }] }} onClose={props.onClose} />
      )}
      {dialog === 'drain' && <DrainQueueDialog {...props} isPaused={pause !== undefined} />}
      {dialog === 'delete' && <DeleteQueueDialog {...props} />}
    </>
  );
}
