import type { OfLease } from '../job-calls.fixture.js';
import { addToBatch, type BatchAct, batchRules } from './batch-acts.fixture.js';
import { settleBatch } from './batch-model.fixture.js';
import {
  cancelChildren,
  cancelJob,
  create,
  dependOn,
  failAttempt,
  isHeld,
  leaseSeconds,
  type Model,
  type ModelJob,
  releaseChildren,
  requeue,
  waitsFor,
  withJobs,
} from './model.fixture.js';

export interface NewJobAct {
  job: string;
  parent: string | null;
  key: string | null;
  maxRetries: number;
  priority: number;
  expires: boolean;
}

/** What an actor does. Jobs and leases are named by their ids. */
export type Act =
  | ({ verb: 'enqueue' } & NewJobAct)
  | ({ verb: 'add' } & NewJobAct)
  | { verb: 'claim'; limit: number }
  | ({ verb: 'complete' | 'renew' | 'release' } & OfLease)
  | ({ verb: 'fail'; retry: boolean } & OfLease)
  | { verb: 'cancel' | 'retry' | 'purge'; job: string }
  | { verb: 'depend'; job: string; on: string }
  | { verb: 'requestCancel'; job: string; force: boolean }
  | ({ verb: 'step'; value: string } & OfLease)
  | ({ verb: 'wait' } & OfLease)
  | { verb: 'signal'; job: string }
  | { verb: 'pause' | 'resume' | 'deleteQueue' | 'pass' | 'recover' | 'expire' | 'advance' }
  | BatchAct;

export type ActOf<V extends Act['verb']> = Extract<Act, { verb: V }>;

/** What its caller was told. */
export interface Told {
  outcome: 'ok' | 'refused' | 'failed';
  /** The job that a creation named. */
  job?: string;
  granted?: { job: string; lease: string }[];
  /** Whether the wait had ended already. */
  isOver?: boolean;
  /** Whether the signal counts. */
  isAccepted?: boolean;
  /** Whether the batch was closed, or cancelled, by this act. */
  hasChanged?: boolean;
}

/** Seconds that `pass` moves the clock: leases end, retries are due. */
export const passSeconds = 31;
export const expirySeconds = 20;
export const waitSeconds = 30;

type Result = Model | null;
type Rules = { [V in Act['verb']]: (model: Model, act: ActOf<V>, told: Told) => Result | Model[] };

const accept = (told: Told, isRight: boolean, next: () => Model, model: Model): Result => {
  if (told.outcome === 'ok') return isRight ? next() : null;
  return isRight ? null : model;
};
const live = (model: Model, id: string): ModelJob | null => {
  const job = model.jobs.get(id);
  return job && job.state !== 'gone' ? job : null;
};
const unexpired = ({ jobs, now }: Model): number =>
  [...jobs.values()].filter(({ state, leaseEnds }) => state === 'leased' && leaseEnds > now).length;

/** Every choice of some of the jobs: maintenance passes over rows that others hold. */
function someOf(model: Model, ids: string[], change: (model: Model, id: string) => Model): Model[] {
  return ids.reduce<Model[]>((models, id) => [...models, ...models.map((each) => change(each, id))], [model]);
}

const idsOf = (model: Model, isMeant: (job: ModelJob) => boolean): string[] =>
  [...model.jobs].filter(([, job]) => isMeant(job)).map(([id]) => id);

const isOver = ({ now }: Model, { isSignalled, deadline }: ModelJob): boolean =>
  isSignalled || (deadline !== null && deadline <= now);
/** It waits in a step. */
const isSuspended = (model: Model, job: ModelJob): boolean => job.deadline !== null && !isOver(model, job);

function claim(model: Model, granted: { job: string; lease: string }[]): Result {
  const jobs = granted.map(({ job }) => live(model, job));
  if (jobs.some((job) => job?.state !== 'waiting' || !job.met || isSuspended(model, job))) return null;
  if (granted.length > 0 && model.paused) return null;
  if (model.places !== null && unexpired(model) + granted.length > model.places) return null;
  const lease = { state: 'leased' as const, leaseEnds: model.now + leaseSeconds };
  return withJobs(model, Object.fromEntries(granted.map((each) => [each.job, { ...lease, lease: each.lease }])));
}

function enqueue(model: Model, act: NewJobAct, told: Told): Result {
  const known = act.key === null ? undefined : model.keys.get(act.key);
  if (known !== undefined) return accept(told, told.job === known, () => model, model);
  const isRight = act.parent === null || live(model, act.parent) !== null;
  const expires = act.expires ? model.now + expirySeconds : null;
  const keys = act.key === null ? model.keys : new Map(model.keys).set(act.key, act.job);
  const next = () => create({ ...model, keys }, act.job, { maxRetries: act.maxRetries, expires }, act.parent);
  return accept(told, isRight && (told.job ?? act.job) === act.job, next, model);
}

const expire = (model: Model, id: string): Model =>
  model.jobs.get(id)!.attempts > 0
    ? cancelChildren(withJobs(model, { [id]: { state: 'dead' } }), [id])
    : cancelJob(model, id);

/** What each act does when nothing else happens; null: its caller would not have been told this. */
const rules: Rules = {
  ...batchRules,
  enqueue: (model, act, told) => enqueue(model, act, told),
  add: (model, act, told) => addToBatch(model, act, told, enqueue),
  claim: (model, _, { outcome, granted = [] }) => (outcome === 'ok' ? claim(model, granted) : null),
  complete(model, { job, lease }, told) {
    // A command that is delivered again is told so, another one that the job has been completed.
    if (live(model, job)?.state === 'completed') return model;
    const next = () => releaseChildren(withJobs(model, { [job]: { state: 'completed' } }), job);
    return accept(told, isHeld(model, job, lease), next, model);
  },
  fail: (model, { job, lease, retry }, told) =>
    accept(told, isHeld(model, job, lease), () => failAttempt(model, job, retry), model),
  renew: (model, { job, lease }, told) =>
    accept(
      told,
      isHeld(model, job, lease),
      () => withJobs(model, { [job]: { leaseEnds: model.now + leaseSeconds } }),
      model,
    ),
  release: (model, { job, lease }, told) =>
    accept(
      told,
      isHeld(model, job, lease),
      () =>
        live(model, job)!.asked ? cancelJob(model, job) : withJobs(model, { [job]: { state: 'waiting', lease: null } }),
      model,
    ),
  cancel: (model, { job }, told) =>
    accept(told, live(model, job)?.state === 'waiting', () => cancelJob(model, job), model),
  requestCancel(model, { job, force }, told) {
    const { state } = live(model, job) ?? { state: 'gone' };
    const isAsked = state === 'leased' && !force;
    return accept(
      told,
      state === 'waiting' || state === 'leased',
      () => (isAsked ? withJobs(model, { [job]: { asked: true } }) : cancelJob(model, job)),
      model,
    );
  },
  step: (model, { job, lease, value }, told) =>
    accept(
      told,
      isHeld(model, job, lease),
      () => withJobs(model, { [job]: { result: live(model, job)!.result ?? value } }),
      model,
    ),
  wait(model, { job, lease }, told) {
    if (!isHeld(model, job, lease)) return told.outcome === 'ok' ? null : model;
    const own = live(model, job)!;
    if (told.outcome !== 'ok' || told.isOver !== isOver(model, own)) return null;
    if (told.isOver) return model;
    if (own.asked) return cancelJob(model, job);
    const deadline = own.deadline ?? model.now + waitSeconds;
    return withJobs(model, { [job]: { state: 'waiting', lease: null, deadline } });
  },
  signal(model, { job }, told) {
    const own = live(model, job);
    const isLive = own?.state === 'waiting' || own?.state === 'leased';
    if (!isLive || (!own.isSignalled && isOver(model, own))) return told.outcome === 'ok' ? null : model;
    if (told.outcome !== 'ok' || told.isAccepted === own.isSignalled) return null;
    return withJobs(model, { [job]: { isSignalled: true } });
  },
  retry: (model, { job }, told) => accept(told, live(model, job)?.state === 'dead', () => requeue(model, job), model),
  purge: (model, { job }, told) =>
    accept(told, live(model, job)?.state === 'dead', () => withJobs(model, { [job]: { state: 'gone' } }), model),
  depend(model, { job, on }, told) {
    const isRight = live(model, job)?.state === 'waiting' && live(model, on) !== null;
    return accept(told, isRight, () => (waitsFor(model, on, job) ? model : dependOn(model, job, on)), model);
  },
  pause: (model) => ({ ...model, paused: true }),
  resume: (model) => ({ ...model, paused: false }),
  deleteQueue: (model) => ({
    ...withJobs(model, Object.fromEntries([...model.jobs.keys()].map((id) => [id, { state: 'gone' as const }]))),
    keys: new Map(),
    paused: false,
  }),
  pass: (model) => ({ ...model, now: model.now + passSeconds }),
  recover: (model) =>
    someOf(
      model,
      idsOf(model, ({ state, leaseEnds }) => state === 'leased' && leaseEnds <= model.now),
      (each, id) => failAttempt(each, id, true),
    ),
  expire: (model) =>
    someOf(
      model,
      idsOf(model, ({ state, expires }) => state === 'waiting' && expires !== null && expires <= model.now),
      (each, id) => (each.jobs.get(id)!.state === 'waiting' ? expire(each, id) : each),
    ),
  advance: (model) =>
    someOf(
      model,
      idsOf(model, ({ state }) => state === 'waiting').filter(
        (id) => model.batch?.isStopping && model.batch.members.has(id),
      ),
      (each, id) => (each.jobs.get(id)!.state === 'waiting' ? cancelJob(each, id) : each),
    ),
};

/** The states in which the act may leave the model, if its caller was told this; none = it would not have been. */
export function apply(model: Model, act: Act, told: Told): Model[] {
  // It was rolled back.
  if (told.outcome === 'failed') return [model];
  const rule = rules[act.verb] as (model: Model, act: Act, told: Told) => Result | Model[];
  return [rule(model, act, told) ?? []].flat().map(settleBatch);
}
