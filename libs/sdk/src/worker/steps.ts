import { type Duration, milliseconds } from '../app/duration.js';
import type { Received } from '../app/received.js';
import { asReceived } from '../app/schema.js';
import { isRefusal } from '../http/errors.js';
import { PermanentError } from './handlers.js';
import type { LeasedJob, StepStore, StoredStep } from './work-source.js';

/** Characters, as the server counts them. */
const longestName = 100;

export interface WaitForOptions<T> {
  /** How long it waits at most, up to 366 days. With `0s` it only looks whether the signal has come. */
  timeout: Duration;
  /** What the wait returns without a signal. Without a default, it throws StepTimeoutError. */
  default?: T;
}

/** The steps of a job. Their names must differ within a job; attempts find what earlier ones have finished by them. */
export interface Steps {
  /**
   * Runs `work` and keeps its result, at most 32 KB of JSON: later attempts get the result and do not run it again. A step whose worker dies
   * before the result is kept runs again, so make it idempotent. A step that throws keeps nothing and fails like the handler.
   * @throws PermanentError for a result that cannot be kept, and for a name that this attempt has used already
   */
  <T>(name: string, work: () => T | Promise<T>): Promise<Received<Awaited<T>>>;
  /**
   * Waits without a worker: the handler ends here, and a later run of it goes on. Code after the call, also `finally`, runs only then. Uses no
   * attempt. `0s` does not wait.
   */
  sleep(name: string, duration: Duration): Promise<void>;
  /**
   * Waits like `sleep` until somebody gives the job this signal.
   * @returns the payload of the signal
   * @throws StepTimeoutError when none came in time and there is no default
   */
  waitFor<T = unknown>(name: string, options: WaitForOptions<T>): Promise<T>;
  /**
   * A URL for `waitFor` of this name, for somebody without a key: POST gives the signal, with any JSON as its body. Its holder may do so
   * once, until the wait or `expiresIn` has ended (default: 366 days).
   * @throws PermanentError in embedded mode, which has no address
   */
  signalUrl(name: string, options?: { expiresIn?: Duration }): Promise<string>;
}

/** No signal came in time. */
export class StepTimeoutError extends Error {
  override name = 'StepTimeoutError';
}

/** What steps need of the attempt that they belong to. */
export interface StepRun {
  job: LeasedJob;
  store: StepStore | undefined;
  /** Throws when the attempt has ended; never settles when the job waits. */
  requireRunning(): Promise<void>;
  /** Runs a request that needs the lease; never settles when the job waits from meanwhile on. */
  underLease<T>(request: () => Promise<T>): Promise<T>;
  /** Ends the attempt if the job waits from now on; then it never settles. */
  suspend(begin: () => Promise<boolean>): Promise<void>;
}

/** Reads what earlier attempts have finished at the first step. */
export class RunSteps {
  private stored: Promise<Map<string, StoredStep>> | undefined;
  private readonly used = new Set<string>();

  constructor(private readonly run: StepRun) {}

  get api(): Steps {
    const step = <T>(name: string, work: () => T | Promise<T>) => this.step(name, work);
    return Object.assign(step, {
      sleep: (name: string, duration: Duration) => this.sleep(name, duration),
      waitFor: <T>(name: string, options: WaitForOptions<T>) => this.waitFor(name, options),
      signalUrl: (name: string, options?: { expiresIn?: Duration }) => this.signalUrl(name, options),
    });
  }

  private async step<T>(name: string, work: () => T | Promise<T>): Promise<Received<Awaited<T>>> {
    const known = await this.begin(name, 'step');
    if (known) return known.result as Received<Awaited<T>>;
    const result = await work();
    const received = permanently(() => asReceived(result, `step ${name}`));
    await this.run.requireRunning();
    await this.run.underLease(() => kept(this.store.record(this.run.job, name, received)));
    return received as Received<Awaited<T>>;
  }

  private async sleep(name: string, duration: Duration): Promise<void> {
    const waitMs = permanently(() => milliseconds(duration, 'duration'));
    await this.wait(name, 'sleep', waitMs);
  }

  private async waitFor<T>(name: string, options: WaitForOptions<T>): Promise<T> {
    const waitMs = permanently(() => milliseconds(options?.timeout, 'timeout'));
    const waited = await this.wait(name, 'signal', waitMs);
    if (waited && waited.finishedAt !== null) return waited.result as T;
    if ('default' in options) return options.default as T;
    throw new StepTimeoutError(`${name}: no signal within ${options.timeout}`);
  }

  private async signalUrl(name: string, { expiresIn }: { expiresIn?: Duration } = {}): Promise<string> {
    requireName(name);
    const { store } = this;
    if (!store.signalUrl) throw new PermanentError('step.signalUrl: embedded mode has no address; use jobs.signal');
    const ms = expiresIn === undefined ? undefined : permanently(() => milliseconds(expiresIn, 'expiresIn'));
    const seconds = ms === undefined ? undefined : Math.ceil(ms / 1000);
    await this.run.requireRunning();
    return kept(store.signalUrl(this.run.job, name, seconds));
  }

  /** The wait when it is over; nothing of one without a time that had not begun. */
  private async wait(name: string, kind: 'sleep' | 'signal', waitMs: number): Promise<StoredStep | undefined> {
    const known = await this.begin(name, kind);
    if (known?.isDone || (!known && waitMs === 0)) return known;
    await this.run.suspend(() => kept(this.store.wait(this.run.job, name, kind, waitMs)));
    this.stored = undefined;
    return this.find(name);
  }

  private async begin(name: string, kind: StoredStep['kind']): Promise<StoredStep | undefined> {
    requireName(name);
    if (this.used.has(name)) throw new PermanentError(`step ${name}: the handler has a step of this name already`);
    this.used.add(name);
    const known = await this.find(name);
    await this.run.requireRunning();
    if (known && known.kind !== kind)
      throw new PermanentError(`step ${name}: an earlier attempt had a ${known.kind} of this name`);
    return known;
  }

  private async find(name: string): Promise<StoredStep | undefined> {
    this.stored ??= this.store.list(this.run.job).then((steps) => new Map(steps.map((one) => [one.step, one])));
    return (await this.stored).get(name);
  }

  private get store(): StepStore {
    const { store } = this.run;
    if (!store) throw new PermanentError('step: the connection of this worker keeps no steps');
    return store;
  }
}

/** Before the work of a step is done, whose result could not be kept under such a name. */
function requireName(name: unknown): void {
  const isName = typeof name === 'string' && name !== '' && [...name].length <= longestName;
  if (isName && !/[\0\p{Surrogate}]/u.test(name)) return;
  throw new PermanentError(`step: its name must be a text of 1 to ${longestName} characters`);
}

/** Handlers would only do the same at the next attempt. */
function permanently<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new PermanentError((error as Error).message, { cause: error });
  }
}

/** What is refused would be refused at the next attempt as well. */
async function kept<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new PermanentError((error as Error).message, { cause: error });
  }
}
