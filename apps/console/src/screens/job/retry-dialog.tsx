import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { SideEffects } from './side-effects';

/** Retries a job, after a look at what it has caused so far. */
export function RetryDialog({ id, onClose }: { id: string; onClose(): void }) {
  const retry = async () => {
    await api.jobs.retry(id);
    await refresh('jobs', 'queues');
    toast.done('The job is retried');
  };
  return (
    <FormDialog title="Retry this job" act="Retry" onClose={onClose} onAct={retry}>
      <p>The job runs once more with the same payload.</p>
      <SideEffects id={id} />
    </FormDialog>
  );
}
