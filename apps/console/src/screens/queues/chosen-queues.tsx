import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate } from '../../api/session';
import { useAct } from '../../app/use-act';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { PauseQueueDialog } from './pause-dialog';
import type { QueueRow } from './queries';

interface ChosenQueuesProps {
  rows: readonly QueueRow[];
  /** Called when an act is done. */
  onDone(): void;
}

/** What can be done with the queues that are chosen: pause those that run, resume those that are paused. */
export function ChosenQueues({ rows, onDone }: ChosenQueuesProps) {
  const session = useSession();
  const [isPausing, setPausing] = useState(false);
  const [busy, act] = useAct();
  if (rows.length === 0 || !mayOperate(session)) return null;
  const paused = rows.filter(({ enabled }) => !enabled).map(({ queueName }) => queueName);
  const running = rows.filter(({ enabled }) => enabled).map(({ queueName }) => queueName);
  const resume = async () => {
    for (const name of paused) await api.queues.resume(name);
    await refresh('queues');
    onDone();
  };
  return (
    <>
      <span aria-live="polite">{formatCount(rows.length)} chosen</span>
      {running.length > 0 && (
        <Button size="s" icon="pause" onPress={() => setPausing(true)}>
          {`Pause ${formatCount(running.length)}…`}
        </Button>
      )}
      {paused.length > 0 && (
        <Button size="s" icon="play" isDisabled={busy} onPress={() => act(`${queuesOf(paused)} resumed`, resume)}>
          {`Resume ${formatCount(paused.length)}`}
        </Button>
      )}
      {isPausing && <PauseQueueDialog names={running} onDone={onDone} onClose={() => setPausing(false)} />}
    </>
  );
}

const queuesOf = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]} is` : `${formatCount(names.length)} queues are`;
