import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { toast } from '../../ui/toast';
import { rerunQuery, type Step, type WorkflowDetails } from './queries';

interface RetryFromDialogProps {
  workflow: WorkflowDetails;
  step: Step;
  onClose(): void;
}

/** Runs a job of a workflow and all that depend on it again, completed or not; the server says which. */
export function RetryFromDialog({ workflow, step, onClose }: RetryFromDialogProps) {
  const plan = useQuery(rerunQuery(workflow.id, step.id));
  const { jobIds = [], problem } = plan.data ?? {};
  const retry = async () => {
    await api.workflows.retry(workflow.id, { fromJob: step.id });
    await refresh('workflows', 'jobs', 'queues');
    toast.done(`${formatJobs(jobIds.length)} run again from ${step.key}`);
  };
  return (
    <FormDialog
      title={`Retry from ${step.key}`}
      act={problem === null ? `Run ${formatJobs(jobIds.length)} again` : 'Retry'}
      disabled={problem !== null}
      onClose={onClose}
      onAct={retry}
    >
      <Loaded query={plan} lines={2}>
        {(found) =>
          found.problem === null ? (
            <RerunSteps workflow={workflow} steps={workflow.jobs.filter(({ id }) => found.jobIds.includes(id))} />
          ) : (
            <Notice tone="warn" title="Not possible now">
              {found.problem}.
            </Notice>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

function RerunSteps({ workflow, steps }: { workflow: WorkflowDetails; steps: Step[] }) {
  const repeated = steps.filter(({ status }) => status === 'completed').length;
  return (
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
  );
}
