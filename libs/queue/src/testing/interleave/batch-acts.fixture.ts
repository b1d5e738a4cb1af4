import type { Act, NewJobAct, Told } from './acts.fixture.js';
import { joinBatch, openBatch, withBatch } from './batch-model.fixture.js';
import type { Model } from './model.fixture.js';

type BatchVerb = 'createBatch' | 'closeBatch' | 'cancelBatch' | 'deleteCallbacks' | 'retain';

/** What an actor does with the batch of its schedule. */
export type BatchAct = { verb: BatchVerb };

/** A new job as a member of the batch. @param enqueue what the job does without it; null as of rules */
export function addToBatch(
  model: Model,
  act: NewJobAct,
  told: Told,
  enqueue: (model: Model, act: NewJobAct, told: Told) => Model | null,
): Model | null {
  if (model.batch?.status !== 'open') return told.outcome === 'ok' ? null : model;
  const next = enqueue(model, act, told);
  // A job that its key has found does not join.
  return next && told.outcome === 'ok' && told.job === act.job ? joinBatch(next, act.job) : next;
}

export const batchRules: { [V in BatchVerb]: (model: Model, act: Act, told: Told) => Model | null | Model[] } = {
  createBatch: (model) => (model.batch ? model : { ...model, batch: openBatch }),
  closeBatch(model, _, { outcome, hasChanged }) {
    const { batch } = model;
    if (!batch || batch.status === 'cancelled') return outcome === 'ok' ? null : model;
    if (outcome !== 'ok' || hasChanged !== (batch.status === 'open')) return null;
    return hasChanged ? withBatch(model, { status: 'closed' }) : model;
  },
  cancelBatch(model, _, { outcome, hasChanged }) {
    const { batch } = model;
    if (!batch || batch.status === 'completed') return outcome === 'ok' ? null : model;
    if (outcome !== 'ok' || hasChanged !== (batch.status !== 'cancelled')) return null;
    return hasChanged ? withBatch(model, { status: 'cancelled', isStopping: true }) : model;
  },
  deleteCallbacks: (model) =>
    model.batch
      ? withBatch(model, { callbacks: new Map([...model.batch.callbacks.keys()].map((name) => [name, 'gone'])) })
      : model,
  /** Passes over batches that others hold, and over those that have ended since it began. */
  retain(model) {
    const { batch, jobs } = model;
    const isOld = batch?.status === 'open' || batch?.isEnded;
    const isKept =
      [...(batch?.members.keys() ?? [])].some((id) => jobs.get(id)!.state !== 'gone') ||
      [...(batch?.callbacks.values() ?? [])].includes('there');
    return isOld && !isKept ? [model, { ...model, batch: null }] : model;
  },
};
