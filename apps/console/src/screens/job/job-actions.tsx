import type { Job } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayEnqueue, mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { EnqueueDialog } from '../jobs/enqueue-dialog';
import { formOfCopy } from '../jobs/new-job';
import { ThrottleDialog } from '../queues/throttle-dialog';
import { floodOfJob } from '../queues/throttle-subjects';
import { CancelRunningDialog } from './cancel-running-dialog';
import { EditAndRetryDialog } from './edit-and-retry-dialog';
import { timelineQuery } from './queries';
import { RetryDialog } from './retry-dialog';

/** What can be done with the job in its status. */
export function JobActions({ job }: { job: Job }) {
  const session = useSession();
  const [dialog, setDialog] = useState<'retry' | 'edit' | 'copy' | 'throttle' | 'cancel' | null>(null);
  const { data: timeline } = useQuery(timelineQuery(job.id));
  const close = () => setDialog(null);
  const hasFailed = job.status === 'failed' || job.status === 'deadletter';
  const waits = job.status === 'pending' || job.status === 'scheduled';
  const runs = job.status === 'processing';
  return (
    <>
      {hasFailed && mayOperate(session) && (
        <Button variant="primary" icon="refresh" onPress={() => setDialog('retry')}>
          Retry…
        </Button>
      )}
      {job.status === 'deadletter' && mayOperate(session) && (
        <Button onPress={() => setDialog('edit')}>Edit and retry…</Button>
      )}
      {mayEnqueue(session) && (
        <Button icon="copy" onPress={() => setDialog('copy')}>
          Enqueue a copy…
        </Button>
      )}
      {mayOperate(session) && <Button onPress={() => setDialog('throttle')}>Throttle…</Button>}
      {(waits || runs) && mayOperate(session) && <Button onPress={() => setDialog('cancel')}>Cancel job…</Button>}
      {dialog === 'copy' && <EnqueueDialog title="Enqueue a copy" initial={formOfCopy(job)} onClose={close} />}
      {dialog === 'throttle' && (
        <ThrottleDialog flood={floodOfJob(job, timeline?.job.createdBy ?? null)} onClose={close} />
      )}
      {dialog === 'retry' && <RetryDialog id={job.id} onClose={close} />}
      {dialog === 'edit' && <EditAndRetryDialog job={job} onClose={close} />}
      {dialog === 'cancel' && runs && <CancelRunningDialog id={job.id} onClose={close} />}
      {dialog === 'cancel' && waits && <CancelDialog id={job.id} onClose={close} />}
    </>
  );
}

function CancelDialog({ id, onClose }: { id: string; onClose(): void }) {
  const cancel = async () => {
    await api.jobs.cancel(id);
    await refresh('jobs', 'queues');
    toast.done('The job is cancelled');
  };
  return (
    <FormDialog title="Cancel this job" act="Cancel the job" danger onClose={onClose} onAct={cancel}>
      <p>It will not run. Jobs that wait for it are cancelled too.</p>
    </FormDialog>
  );
}
