import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { formatJobs } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { toast } from '../../ui/toast';
import type { Step, WorkflowDetails } from './queries';
import { rerunFrom } from './rerun';

interface RetryFromDialogProps {
  workflow: WorkflowDetails;
  step: Step;
  onClose(): void;
}

/** Runs a job of a workflow and all that depend on it again, completed or not. */
export function RetryFromDialog({ workflow, step, onClose }: RetryFromDialogProps) {
  const { steps, problem } = rerunFrom(workflow, step);
  const repeated = steps.filter(({ status }) => status === 'completed').length;
  const retry = async () => {
    await api.workflows.retry(workflow.id, { fromJob: step.id });
    await refresh('workflows', 'jobs', 'queues');
    toast.done(`${formatJobs(steps.length)} run again from ${step.key}`);
  };
  return (
    <FormDialog
      title={`Retry from ${step.key}`}
      act={problem === null ? `Run ${formatJobs(steps.length)} again` : 'Retry'}
      disabled={problem !== null}
      onClose={onClose}
      onAct={retry}
    >
      {problem === null ? (
        <>
          <Notice tone="info" title={`${formatJobs(steps.length)} of ${workflow.jobs.length} would run again`}>
            {steps.map(({ key }) => key).join(', ')}
          </Notice>
          <p>
            {repeated > 0 &&
              `${formatJobs(repeated)} among them completed: the results are replaced, and what they did is not undone. `}
            The others keep their results. Earlier attempts stay in the history of each job.
          </p>
        </>
      ) : (
        <Notice tone="warn" title="Not possible now">
          {`${step.key} cannot run again: ${problem}.`}
        </Notice>
      )}
    </FormDialog>
  );
}
