import type { Batch } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { confirmation } from '../../app/confirmation';
import { useEnqueueRefusal, useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatJobs } from '../../ui/format';

/** What can be done with a batch in its status. */
export function BatchActions({ batch }: { batch: Batch }) {
  const closeRefused = useEnqueueRefusal();
  const cancelRefused = useOperatorRefusal();
  const { status } = batch;
  return (
    <DialogButtons
      of={{ batch }}
      buttons={[
        {
          label: 'Close batch…',
          variant: 'primary',
          icon: 'check',
          refused: closeRefused,
          dialog: CloseDialog,
          shown: status === 'open',
        },
        {
          label: 'Cancel batch…',
          icon: 'stop',
          refused: cancelRefused,
          dialog: CancelDialog,
          shown: status === 'open' || status === 'closed',
        },
      ]}
    />
  );
}

interface Subject {
  batch: Batch;
}

const CloseDialog = confirmation(({ batch: { id, pendingJobs, runningJobs } }: Subject) => {
  const unfinished = pendingJobs + runningJobs;
  const next =
    unfinished === 0
      ? 'All of its jobs have ended, so it completes at once and its callback jobs are created.'
      : `It completes when ${formatJobs(unfinished)} that have not ended do so; then its callback jobs are created.`;
  return {
    title: 'Close this batch',
    act: 'Close the batch',
    about: `No job can be added any more, and it cannot be opened again. ${next}`,
    run: () => api.batches.close(id),
    views: ['batches', 'jobs', 'queues'],
    done: 'The batch is closed',
  };
});

const CancelDialog = confirmation(({ batch: { id, pendingJobs, runningJobs } }: Subject) => ({
  title: 'Cancel this batch',
  act: 'Cancel the batch',
  danger: true,
  typed: 'cancel',
  about: (
    <p>
      It is closed. {formatJobs(pendingJobs)} that wait will not run: an operation cancels them.{' '}
      {formatJobs(runningJobs)} that run now will finish. <code>on_success</code> is never created.
    </p>
  ),
  run: () => api.batches.cancel(id),
  views: ['batches', 'jobs', 'queues', 'operations'],
  done: 'The batch is cancelled; an operation cancels its jobs that wait',
}));
