import { batchCallbacks, type batchSchemas, type CommandBody, type NewJob, textOrNull } from '@spooled/contracts';
import { featureDisabled, upgradeTo } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { type NewJobRules, toNewJob } from '../jobs/new-job.js';

export type NewBatch = Pick<CommandBody<'batch.create'>, 'batch' | 'callbacks' | 'maxOpenBatches'>;

/** A batch with a new id and its callback jobs. @throws SpooledError 400 callback jobs, 403 plan without batches, 413 */
export function newBatch(body: batchSchemas.CreateBatchBody, rules: NewJobRules): NewBatch {
  const { max_open_batches: maxOpenBatches, tier } = rules.limits;
  if (maxOpenBatches === 0) throw featureDisabled('batches', tier, upgradeTo(tier));
  const callbacks: Partial<Record<(typeof batchCallbacks)[number], NewJob>> = {};
  for (const name of batchCallbacks) {
    const job = body[name];
    if (job) callbacks[name] = toNewJob(job.queue_name, job, rules, `${name}.`);
  }
  return {
    batch: { id: newId(), name: body.name ?? null, metadata: textOrNull(body.metadata) },
    callbacks,
    maxOpenBatches,
  };
}
