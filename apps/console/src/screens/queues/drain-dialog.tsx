import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { Checkbox } from '../../ui/field';
import { formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { drainPreviewQuery } from './queries';

/** Cancels everything that waits in a queue: counted first, confirmed by typing; leads to the progress. */
export function DrainQueueDialog({ name, isPaused, onClose }: { name: string; isPaused: boolean; onClose(): void }) {
  const navigate = useNavigate();
  const [keepsScheduled, setKeepsScheduled] = useState(false);
  const [pausesFirst, setPausesFirst] = useState(false);
  const status = keepsScheduled ? 'pending' : null;
  const preview = useQuery(drainPreviewQuery(name, status));
  const { count, hasMore } = preview.data ?? {};
  const drain = async () => {
    if (pausesFirst) await api.queues.pause(name, 'The queue is being drained');
    const operation = await api.operations.cancelJobs({ queueName: name, status, holdSeconds });
    showHeld(operation, (cancelled) => `${cancelled} of ${name} will be cancelled`);
    await navigate({ to: '/operations/$id', params: { id: operation.id } });
    await refresh('jobs', 'queues', 'operations');
  };
  return (
    <FormDialog
      title={`Drain ${name}`}
      act={count === undefined ? 'Drain' : `Cancel ${amount(count, hasMore)}`}
      danger
      typed={name}
      disabled={!count}
      onClose={onClose}
      onAct={drain}
    >
      <p>
        Cancels all jobs of this queue that wait, and the jobs that cannot run without them. Jobs that workers hold are
        finished; jobs that are created from now on stay.
      </p>
      <Checkbox label="Keep jobs that are scheduled for later" checked={keepsScheduled} onChange={setKeepsScheduled} />
      {!isPaused && (
        <Checkbox
          label="Pause the queue first, so that workers take none of them meanwhile"
          checked={pausesFirst}
          onChange={setPausesFirst}
        />
      )}
      <Loaded query={preview} lines={1}>
        {(found) => (
          <Notice
            tone={found.count === 0 ? 'neutral' : 'warn'}
            title={found.count === 0 ? 'Nothing waits' : `${amount(found.count, found.hasMore)} would be cancelled`}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}

const amount = (count: number, hasMore = false): string => (hasMore ? 'more than ' : '') + formatJobs(count);
