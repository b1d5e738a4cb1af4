import type { CommandOf, WorkflowJob } from '@spooled/contracts';
import { rethrowQuotaError } from '@spooled/data-access';
import { z } from 'zod';
import { recordedDeliveries } from '../step/answers.js';
import type { SingleStep } from '../step/single-step.js';
import { emitJobCreated, hasCaps, hasSettings, jobJson } from '../enqueue/enqueue.js';
import { receiverError, receiverRefusal } from '../enqueue/receivers.js';
import { createWorkflow as createWorkflowSql } from './create-workflow.queries.js';
import type { CreateWorkflowV1EdgesRecord } from './create_workflow_v1.queries.js';

/** Result of `create_workflow_v1`. */
const answerSchema = z.object({
  now: z.string(),
  again: z.boolean(),
  refused: z.array(receiverRefusal),
  deliveries: recordedDeliveries,
});

/**
 * Creates a workflow atomically: its jobs and their dependencies; jobs without a parent are claimable (SP-49).
 * @throws SpooledError 400 for a callback that its queue does not allow or needs, 429 when the plan's limit of jobs, queues or workflows is reached
 */
export const createWorkflow: SingleStep<'workflow.create'> = async (tx, command, effects) => {
  const { workflow, jobs, maxWorkflows, quota, defaults } = command.body;
  const [row] = await tx
    .run(createWorkflowSql, {
      flow: workflowJson(command),
      part: partJson(command),
      edges: JSON.stringify(jobs.map(edgesOf)),
      maxWorkflows,
      ...defaults,
    })
    .catch((error: unknown) => rethrowQuotaError(error, quota));
  const { now, again, refused, deliveries } = answerSchema.parse(row!.answer);
  const [refusal] = refused;
  if (refusal) throw receiverError(refusal, `jobs[${jobs[refusal.number]!.index}].`);
  if (again) return { workflowId: workflow.id };
  for (const { job, dependsOn } of jobs) {
    emitJobCreated(tx.organizationId, job, { now, blocked: dependsOn.length > 0 }, effects);
  }
  effects.deliver(deliveries);
  effects.workflowChange(tx.organizationId, workflow.id, 'created');
  return { workflowId: workflow.id };
};

const edgesOf = ({ key, job, mode, dependsOn }: WorkflowJob) =>
  ({ id: job.id, key, mode, on: dependsOn }) satisfies CreateWorkflowV1EdgesRecord;

/** The jobs as one part of an enqueue; their dependencies are passed separately. */
function partJson(command: CommandOf<'workflow.create'>): string {
  const { organizationId, body } = command;
  const { jobs, quota } = body;
  const called = jobs.some(({ job }) => hasSettings(job));
  const flags = { redelivered: false, keyed: false, parented: false, called };
  const head = JSON.stringify({ organization: organizationId, ...flags, ...(hasCaps(quota) ? { quota } : {}) });
  return `${head.slice(0, -1)},"jobs":[${jobs.map(({ job }, n) => jobJson(job, { number: n, command: 0 }, command)).join(',')}]}`;
}

function workflowJson({ body: { workflow } }: CommandOf<'workflow.create'>): string {
  const { id, name, description, metadata } = workflow;
  const head = JSON.stringify({ id, name, description: description ?? undefined });
  return metadata === null ? head : `${head.slice(0, -1)},"metadata":${metadata}}`;
}
