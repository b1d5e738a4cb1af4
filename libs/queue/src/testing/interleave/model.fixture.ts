import { describeBatch, type DescribedBatch, describedBatch, type ModelBatch } from './batch-model.fixture.js';

/** A job as the model has it. `gone`: deleted. */
export interface ModelJob {
  state: 'waiting' | 'leased' | 'completed' | 'cancelled' | 'dead' | 'gone';
  /** Of a job that is leased or completed. */
  lease: string | null;
  leaseEnds: number;
  attempts: number;
  maxRetries: number;
  /** No parent blocks it. */
  met: boolean;
  /** On the model's clock; null = never. */
  expires: number | null;
  /** Its end was requested: what ends its attempt cancels it, unless it is completed. */
  asked: boolean;
  /** The result of its step; null = not recorded. */
  result: string | null;
  /** When its wait is over without a signal; null = it has not begun. */
  deadline: number | null;
  isSignalled: boolean;
}

interface Edge {
  child: string;
  parent: string;
  /** The parent's end has cancelled the child. */
  cancelled: boolean;
}

/** One queue of one tenant. */
export interface Model {
  jobs: ReadonlyMap<string, ModelJob>;
  edges: readonly Edge[];
  keys: ReadonlyMap<string, string>;
  paused: boolean;
  /** null = there is none. */
  batch: ModelBatch | null;
  /** Leases that may run at once; null = any number. */
  places: number | null;
  /** Seconds. */
  now: number;
}

export const leaseSeconds = 30;

export const emptyModel = (places: number | null): Model => ({
  jobs: new Map(),
  edges: [],
  keys: new Map(),
  paused: false,
  batch: null,
  places,
  now: 0,
});

const ended = (job: ModelJob | undefined): boolean =>
  job !== undefined && ['completed', 'cancelled', 'dead'].includes(job.state);

/** The state with some jobs changed. */
export function withJobs(model: Model, changes: Record<string, Partial<ModelJob>>): Model {
  const jobs = new Map(model.jobs);
  for (const [id, change] of Object.entries(changes)) jobs.set(id, { ...jobs.get(id)!, ...change });
  return { ...model, jobs };
}

export const parentsOf = (model: Model, id: string): string[] =>
  model.edges.filter(({ child }) => child === id).map(({ parent }) => parent);

/** Parents that were deleted no longer count. */
export const isMet = (model: Model, id: string): boolean =>
  parentsOf(model, id)
    .map((parent) => model.jobs.get(parent)!)
    .every(({ state }) => state === 'completed' || state === 'gone');

/** Whether this worker's lease holds the job. */
export const isHeld = ({ jobs, now }: Model, job: string, lease: string): boolean => {
  const found = jobs.get(job);
  return found?.state === 'leased' && found.lease === lease && found.leaseEnds > now;
};

/** Unblocks children that wait for nothing any more. */
export function releaseChildren(model: Model, parent: string): Model {
  const children = model.edges.filter((edge) => edge.parent === parent).map(({ child }) => child);
  const released = children.filter((id) => model.jobs.get(id)!.state === 'waiting' && isMet(model, id));
  return withJobs(model, Object.fromEntries(released.map((id) => [id, { met: true }])));
}

/** Cancels blocked children of jobs that did not complete, and theirs in turn. */
export function cancelChildren(model: Model, parents: readonly string[]): Model {
  if (parents.length === 0) return model;
  const isBlocked = (id: string) => model.jobs.get(id)!.state === 'waiting' && !model.jobs.get(id)!.met;
  const children = new Set(
    model.edges.filter(({ parent, child }) => parents.includes(parent) && isBlocked(child)).map(({ child }) => child),
  );
  const edges = model.edges.map((edge) =>
    children.has(edge.child) && parents.includes(edge.parent) ? { ...edge, cancelled: true } : edge,
  );
  const changes = Object.fromEntries([...children].map((id) => [id, { state: 'cancelled' as const }]));
  return cancelChildren({ ...withJobs(model, changes), edges }, [...children]);
}

/** A job ends as cancelled, with the children that it blocks. */
export const cancelJob = (model: Model, id: string): Model =>
  cancelChildren(withJobs(model, { [id]: { state: 'cancelled', lease: null, asked: false } }), [id]);

/** An attempt has ended without success. */
export function failAttempt(model: Model, id: string, retry: boolean): Model {
  const { attempts, maxRetries, asked } = model.jobs.get(id)!;
  if (asked) return cancelJob(model, id);
  if (retry && attempts < maxRetries)
    return withJobs(model, { [id]: { state: 'waiting', lease: null, attempts: attempts + 1 } });
  return cancelChildren(withJobs(model, { [id]: { state: 'dead', lease: null } }), [id]);
}

/** A dead letter and the children that its end cancelled, as new. */
export function requeue(model: Model, id: string): Model {
  const requeued = new Set([id]);
  const mayComeBack = (child: string) =>
    model.jobs.get(child)!.state === 'cancelled' &&
    model.edges.some((edge) => edge.child === child && edge.cancelled) &&
    parentsOf(model, child).every(
      (parent) =>
        requeued.has(parent) || !ended(model.jobs.get(parent)) || model.jobs.get(parent)!.state === 'completed',
    );
  for (const job of requeued)
    for (const { child, parent } of model.edges) if (parent === job && mayComeBack(child)) requeued.add(child);
  const waiting = withJobs(
    model,
    Object.fromEntries(
      [...requeued].map((job) => {
        const deadline = model.jobs.get(job)!.isSignalled ? model.jobs.get(job)!.deadline : null;
        return [job, { state: 'waiting' as const, lease: null, attempts: 0, deadline }];
      }),
    ),
  );
  const edges = model.edges.map((edge) => (requeued.has(edge.child) ? { ...edge, cancelled: false } : edge));
  const met = Object.fromEntries([...requeued].map((job) => [job, { met: isMet(waiting, job) }]));
  return { ...withJobs(waiting, met), edges };
}

/** A new job, or one that ends at once because its parent has ended. */
export function create(
  model: Model,
  id: string,
  job: Pick<ModelJob, 'maxRetries' | 'expires'>,
  parent: string | null,
): Model {
  const own: ModelJob = {
    ...job,
    ...{ state: 'waiting', lease: null, leaseEnds: 0, attempts: 0, met: true },
    ...{ asked: false, result: null, deadline: null, isSignalled: false },
  };
  const created = { ...model, jobs: new Map(model.jobs).set(id, own) };
  return parent === null
    ? created
    : dependOn({ ...created, jobs: new Map(created.jobs).set(id, { ...own, met: false }) }, id, parent);
}

/** Adds an edge; a parent that did not complete cancels the child. */
export function dependOn(model: Model, child: string, parent: string): Model {
  const exists = model.edges.some((edge) => edge.child === child && edge.parent === parent);
  const edges = exists ? model.edges : [...model.edges, { child, parent, cancelled: false }];
  const linked = { ...model, edges };
  const met = isMet(linked, child);
  const blocked = withJobs(linked, { [child]: { met } });
  const failed = parentsOf(linked, child).filter(
    (id) => ended(model.jobs.get(id)) && model.jobs.get(id)!.state !== 'completed',
  );
  return met ? blocked : cancelChildren(blocked, failed);
}

/** Whether a job waits for another, over any number of others. */
export const waitsFor = (model: Model, job: string, other: string): boolean =>
  job === other || parentsOf(model, job).some((parent) => waitsFor(model, parent, other));

/** What the database can be compared with. Expiries are not part of it: an act reads the clock when it begins. */
export function describeModel(model: Model): string {
  const jobs = [...model.jobs].filter(([, { state }]) => state !== 'gone').map(([id, job]) => ({ id, ...job }));
  return describeState(jobs, model.paused, describedBatch(model));
}

export type DescribedJob = Pick<
  ModelJob,
  'state' | 'lease' | 'attempts' | 'met' | 'asked' | 'result' | 'isSignalled'
> & {
  id: string;
};

export function describeState(jobs: readonly DescribedJob[], paused: boolean, batch: DescribedBatch | null): string {
  const lines = jobs.map(({ id, state, lease, attempts, met, asked, result, isSignalled }) => {
    const more =
      state === 'waiting' ? (met ? 'unblocked' : 'blocked') : ['leased', 'completed'].includes(state) ? lease : '';
    const also = [asked && state === 'leased' && 'asked to end', result, isSignalled && 'signalled'].filter(Boolean);
    return [`${id} ${state} ${more} after ${attempts} attempts`, ...also].join(', ');
  });
  return [...lines.sort(), paused ? 'paused' : 'running', ...describeBatch(batch)].join('\n');
}
