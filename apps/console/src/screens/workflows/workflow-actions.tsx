import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { FormDialog } from '../../ui/dialog';
import { formatCount, formatJobs } from '../../ui/format';
import type { WorkflowDetails } from './queries';

interface DialogProps {
  workflow: WorkflowDetails;
  onClose(): void;
}

/** What can be done with a workflow in its status. */
export function WorkflowActions({ workflow }: { workflow: WorkflowDetails }) {
  const refused = useOperatorRefusal();
  const { status } = workflow;
  const hasFailed = status === 'failed';
  const continues = status === 'pending' || status === 'running';
  return (
    <DialogButtons
      of={{ workflow }}
      buttons={[
        { label: 'Retry…', variant: 'primary', icon: 'refresh', refused, dialog: RetryDialog, shown: hasFailed },
        { label: 'Cancel workflow…', icon: 'stop', refused, dialog: CancelDialog, shown: continues },
      ]}
    />
  );
}

function RetryDialog({ workflow, onClose }: DialogProps) {
  const { id, jobs } = workflow;
  const again = jobs.filter(({ status }) => status !== 'completed');
  const retry = async () => {
    await api.workflows.retry(id);
    await refresh('workflows', 'jobs', 'queues');
    return 'The workflow continues';
  };
  return (
    <FormDialog title="Retry this workflow" act={`Retry ${formatJobs(again.length)}`} onClose={onClose} onAct={retry}>
      <p>
        {formatJobs(again.length)} that did not complete run again, each when the jobs before it have completed. The{' '}
        {formatCount(jobs.length - again.length)} completed ones are not repeated.
      </p>
    </FormDialog>
  );
}

function CancelDialog({ workflow, onClose }: DialogProps) {
  const { id, jobs } = workflow;
  const count = (...statuses: string[]) => jobs.filter(({ status }) => statuses.includes(status)).length;
  const cancel = async () => {
    await api.workflows.cancel(id);
    await refresh('workflows', 'jobs', 'queues');
    return 'The workflow is cancelled';
  };
  return (
    <FormDialog
      title="Cancel this workflow"
      act="Cancel the workflow"
      danger
      typed="cancel"
      onClose={onClose}
      onAct={cancel}
    >
      <p>
        {formatJobs(count('pending', 'scheduled'))} that wait will not run. {formatJobs(count('processing'))} that run
        now will finish.
      </p>
    </FormDialog>
  );
}
