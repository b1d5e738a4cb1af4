import type { QueueExplanation } from '@spooled/sdk/browser';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useAct } from '../../app/use-act';
import { mayOperate, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { DialogButtons } from '../../ui/dialog-buttons';
import { PauseQueueDialog } from './pause-dialog';
import { ThrottleDialog } from './throttle-dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { formatCount, formatFound, formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Checkbox } from '../../ui/field';
import { drainPreviewQuery } from './queries';

interface QueueActionsProps {
  name: string;
  /** Absent: the page shows the past, in which nothing can be changed. */
  problems: QueueExplanation['problems'] | undefined;
}

/** What can be done with a queue as a whole. */
export function QueueActions({ name, problems }: QueueActionsProps) {
  const session = useSession();
  const [busy, act] = useAct();
  if (!mayOperate(session)) return null;
  const refused = problems ? null : 'the page shows the past';
  const pause = problems?.find((problem) => problem.code === 'queue_paused');
  const resume = () => act(`${name} is resumed`, () => api.queues.resume(name), 'queues');
  return (
    <>
      {pause && (
        <Button variant="primary" icon="play" isDisabled={busy} onPress={resume}>
          Resume
        </Button>
      )}
      <DialogButtons
        of={{ name, pause }}
        buttons={[
          { label: pause ? 'Change the pause…' : 'Pause…', icon: 'pause', refused, dialog: PauseDialog },
          { label: 'Throttle…', refused, dialog: ThrottleQueueDialog },
          { label: 'Drain…', refused, dialog: DrainQueueDialog },
          { label: 'Delete…', refused, dialog: DeleteQueueDialog },
        ]}
      />
    </>
  );
}

interface DialogProps {
  name: string;
  /** Absent: it is not paused. */
  pause: Extract<QueueExplanation['problems'][number], { code: 'queue_paused' }> | undefined;
  onClose(): void;
}

const PauseDialog = ({ name, pause, onClose }: DialogProps) => (
  <PauseQueueDialog names={[name]} present={pause?.details} onClose={onClose} />
);

const ThrottleQueueDialog = ({ name, onClose }: DialogProps) => (
  <ThrottleDialog flood={{ queueName: name, subjects: [{ kind: 'queue' }] }} onClose={onClose} />
);

/** Deletes a queue with its jobs: counted first, confirmed by typing. */
function DeleteQueueDialog({ name, onClose }: DialogProps) {
  const navigate = useNavigate();
  const preview = useQuery({
    queryKey: ['queues', 'deletion', name],
    queryFn: ({ signal }) => api.queues.previewDeletion(name, { signal }),
  });
  const count = preview.data?.count;
  const remove = async () => {
    const operation = await api.queues.beginDeletion(name, { holdSeconds });
    showHeld(operation, (amount) => `${name} and ${amount} will be deleted`);
    await navigate({ to: '/queues' });
    await refresh('queues', 'jobs', 'operations');
  };
  return (
    <FormDialog
      title={`Delete ${name}`}
      act={count === undefined ? 'Delete' : `Delete the queue and ${formatJobs(count)}`}
      danger
      typed={name}
      disabled={count === undefined}
      onClose={onClose}
      onAct={remove}
    >
      <Loaded query={preview} lines={2}>
        {({ counts }) => (
          <Notice tone="danger" title={`The queue, its settings and ${formatJobs(counts.total)} would be deleted`}>
            {formatCount(counts.pending + counts.scheduled)} waiting, {formatCount(counts.processing)} in progress,{' '}
            {formatCount(counts.deadletter)} dead letters and {formatCount(counts.completed + counts.cancelled)} that
            have ended. Nothing of them can be brought back once it has begun, {holdSeconds} s from now.
          </Notice>
        )}
      </Loaded>
    </FormDialog>
  );
}

/** Cancels everything that waits in a queue: counted first, confirmed by typing; leads to the progress. */
function DrainQueueDialog({ name, pause, onClose }: DialogProps) {
  const navigate = useNavigate();
  const [keepsScheduled, setKeepsScheduled] = useState(false);
  const [pausesFirst, setPausesFirst] = useState(false);
  const status = keepsScheduled ? 'pending' : null;
  const preview = useQuery(drainPreviewQuery(name, status));
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
      act={preview.data ? `Cancel ${formatFound(preview.data)}` : 'Drain'}
      danger
      typed={name}
      disabled={!preview.data?.count}
      onClose={onClose}
      onAct={drain}
    >
      <p>
        Cancels all jobs of this queue that wait, and the jobs that cannot run without them. Jobs that workers hold are
        finished; jobs that are created from now on stay.
      </p>
      <Checkbox label="Keep jobs that are scheduled for later" checked={keepsScheduled} onChange={setKeepsScheduled} />
      {!pause && (
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
            title={found.count === 0 ? 'Nothing waits' : `${formatFound(found)} would be cancelled`}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}
