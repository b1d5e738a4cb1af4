import { api } from '../../api/client';
import { confirmation } from '../../app/confirmation';
import { useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatCount, formatJobs } from '../../ui/format';
import type { WorkflowDetails } from './queries';

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

interface Subject {
  workflow: WorkflowDetails;
}

const RetryDialog = confirmation(({ workflow: { id, jobs } }: Subject) => {
  const again = jobs.filter(({ status }) => status !== 'completed').length;
  const completed = formatCount(jobs.length - again);
  return {
    title: 'Retry this workflow',
    act: `Retry ${formatJobs(again)}`,
    about: `${formatJobs(again)} that did not complete run again, each when the jobs before it have completed. The ${completed} completed ones are not repeated.`,
    run: () => api.workflows.retry(id),
    views: ['workflows', 'jobs', 'queues'],
    done: 'The workflow continues',
  };
});

const CancelDialog = confirmation(({ workflow: { id, jobs } }: Subject) => {
  const count = (...statuses: string[]) => formatJobs(jobs.filter(({ status }) => statuses.includes(status)).length);
  return {
    title: 'Cancel this workflow',
    act: 'Cancel the workflow',
    danger: true,
    typed: 'cancel',
    about: `${count('pending', 'scheduled')} that wait will not run. ${count('processing')} that run now will finish.`,
    run: () => api.workflows.cancel(id),
    views: ['workflows', 'jobs', 'queues'],
    done: 'The workflow is cancelled',
  };
});
