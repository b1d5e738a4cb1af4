import {
  isOfLiveJobs,
  liveSelection,
  type OperationFilter,
  type OperationKind,
  type OperationSettings,
} from '@spooled/contracts';
import { previewOfDeadLetters, previewOfLiveJobs, readClock, type TenantTransaction } from '@spooled/data-access';
import { filterWithTerms } from '@spooled/domain';
import { patchPayload, receiverProblems } from '@spooled/queue';
import { newPayload, type PayloadContracts, type RequestChecks } from '@spooled/service';
import type { JobPreview, SampledJob } from './operation-responses.js';

/** Jobs of a preview. */
export const sampled = 5;

export interface Selection {
  scope: string[];
  filter: OperationFilter;
  patch: Patch | null;
  settings: OperationSettings;
  /** Of the payloads that a move would bring into its queue; null for other acts. */
  checks: RequestChecks | null;
}

/** A patch of payloads, and the checks of the request, which the samples share. */
export interface Patch {
  text: string;
  maxBytes: number;
  checks: RequestChecks;
}

/** What an operation would change, with the first of its jobs as they would be. */
export async function previewOf(
  contracts: PayloadContracts,
  tx: TenantTransaction,
  kind: OperationKind,
  { scope, filter, patch, settings, checks }: Selection,
): Promise<JobPreview> {
  const now = await readClock(tx);
  const { count, sample } = isOfLiveJobs(kind)
    ? await previewOfLiveJobs(tx, {
        scope,
        filter: liveSelection({ kind, filter, settings }, now),
        sampled,
        withPayload: patch !== null || checks !== null,
      })
    : await previewOfDeadLetters(tx, { scope, filter: filterWithTerms(filter, now), until: now, sampled });
  if (checks !== null)
    return { count, sample: await movable(contracts, tx, sample, settings.to_queue!, checks), asOf: now };
  const jobs: SampledJob[] = [];
  for (const job of sample) {
    if (patch === null) jobs.push({ ...job, payload: null });
    else jobs.push({ ...job, ...(await patched(contracts, tx, { ...job, payload: job.payload! }, patch)) });
  }
  return { count, sample: jobs, asOf: now };
}

/** The jobs with why they may not be in the queue. */
async function movable(
  contracts: PayloadContracts,
  tx: TenantTransaction,
  sample: SampledJob[],
  queueName: string,
  checks: RequestChecks,
): Promise<SampledJob[]> {
  const ids = sample.map(({ id }) => id);
  const receivers = await receiverProblems(tx, ids, queueName);
  const jobs: SampledJob[] = [];
  for (const job of sample) {
    const text = job.payload!;
    const next = { queueName, path: 'payload', value: () => JSON.parse(text) as unknown, text: () => text };
    const problem = receivers.get(job.id) ?? (await contracts.preview(checks, next, tx));
    jobs.push({ ...job, problem, payload: null });
  }
  return jobs;
}

async function patched(
  contracts: PayloadContracts,
  tx: TenantTransaction,
  { queue_name: queueName, payload }: { queue_name: string; payload: string },
  { text: patch, maxBytes, checks }: Patch,
): Promise<Pick<SampledJob, 'payload' | 'problem'>> {
  const result = patchPayload(payload, patch, maxBytes);
  if ('error' in result) return { payload, problem: result.error };
  const problem = await contracts.preview(checks, newPayload(queueName, 'payload', result), tx);
  return { payload: result.text, problem };
}
