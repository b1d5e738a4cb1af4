import type { Batch } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useEnqueueRefusal, useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { FormDialog } from '../../ui/dialog';
import { formatJobs } from '../../ui/format';

interface DialogProps {
  batch: Batch;
  onClose(): void;
}

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

function CloseDialog({ batch: { id, pendingJobs, runningJobs }, onClose }: DialogProps) {
  const unfinished = pendingJobs + runningJobs;
  const close = async () => {
    await api.batches.close(id);
    await refresh('batches', 'jobs', 'queues');
    return 'The batch is closed';
  };
  return (
    <FormDialog title="Close this batch" act="Close the batch" onClose={onClose} onAct={close}>
      <p>
        No job can be added any more, and it cannot be opened again.{' '}
        {unfinished === 0
          ? 'All of its jobs have ended, so it completes at once and its callback jobs are created.'
          : `It completes when ${formatJobs(unfinished)} that have not ended do so; then its callback jobs are created.`}
      </p>
    </FormDialog>
  );
}

function CancelDialog({ batch: { id, pendingJobs, runningJobs }, onClose }: DialogProps) {
  const cancel = async () => {
    await api.batches.cancel(id);
    await refresh('batches', 'jobs', 'queues', 'operations');
    return 'The batch is cancelled; an operation cancels its jobs that wait';
  };
  return (
    <FormDialog title="Cancel this batch" act="Cancel the batch" danger typed="cancel" onClose={onClose} onAct={cancel}>
      <p>
        It is closed. {formatJobs(pendingJobs)} that wait will not run: an operation cancels them.{' '}
        {formatJobs(runningJobs)} that run now will finish. <code>on_success</code> is never created.
      </p>
    </FormDialog>
  );
}
