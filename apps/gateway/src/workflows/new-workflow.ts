import { type NewWorkflow, textOrNull, type WorkflowJob, type workflowSchemas } from '@spooled/contracts';
import { badRequest, orderDag } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { type NewJobRules, toNewJob } from '@spooled/service';

export interface WorkflowWithNewJobs {
  workflow: NewWorkflow;
  /** In topological order, so that ids, locks and claims of equal priority follow the dependencies. */
  jobs: WorkflowJob[];
}

/**
 * A new workflow and its jobs, with new ids.
 * @throws SpooledError 400 for unknown or duplicate keys, cycles, callbacks and completion webhooks, 413 for a payload that is too large
 */
export function toNewWorkflow(body: workflowSchemas.CreateWorkflowBody, rules: NewJobRules): WorkflowWithNewJobs {
  const sorted = orderDag(
    body.jobs.map((fields, index) => ({ key: fields.key, dependsOn: fields.depends_on ?? [], fields, index })),
  );
  if (!sorted.ok) throw badRequest(sorted.problem);
  const ids = new Map<string, string>();
  const jobs = sorted.order.map(({ key, dependsOn, fields, index }): WorkflowJob => {
    const job = toNewJob(fields.queue_name, fields, rules, `jobs[${index}].`);
    ids.set(key, job.id);
    const parents = [...new Set(dependsOn)].map((parent) => ids.get(parent)!);
    return { key, index, job, dependsOn: parents, mode: fields.dependency_mode ?? 'all' };
  });
  return { workflow: head(body), jobs };
}

const head = ({ name, description, metadata }: workflowSchemas.CreateWorkflowBody): NewWorkflow => ({
  id: newId(),
  name,
  description: description ?? null,
  metadata: textOrNull(metadata),
});
