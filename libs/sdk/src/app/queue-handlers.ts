import { PermanentError, type Handler, type QueueHandlers } from '../worker/handlers.js';
import { type JobLog, logOf } from '../worker/run-log.js';
import type { App } from './app.js';
import { inApp } from './current-app.js';
import type { AnyHandledJob } from './job.js';
import { errorLine } from '../worker/thrown.js';
import { type Logger, withFields } from './logger.js';
import { withoutType } from './new-job.js';
import { asReceived, parsed } from './schema.js';

/** Jobs that one worker runs. */
export interface WorkerPlan {
  queues: Record<string, QueueHandlers>;
  concurrency: number;
}

/**
 * One worker for all jobs that share the concurrency of the app, and one for each queue with its own.
 * @throws TypeError for two jobs of a name, or two concurrencies of a queue
 */
export function planWorkers(jobs: AnyHandledJob[], app: App, log: Logger, concurrency: number): WorkerPlan[] {
  requireNames(jobs);
  const shared: WorkerPlan = { queues: {}, concurrency };
  const plans = [shared];
  for (const queue of new Set(jobs.map((job) => job.queue))) {
    const ofQueue = jobs.filter((job) => job.queue === queue);
    const own = concurrencyOf(queue, ofQueue);
    const plan = own === undefined ? shared : { queues: {}, concurrency: own };
    if (plan !== shared) plans.push(plan);
    plan.queues[queue] = handlersOf(queue, ofQueue, app, log);
  }
  return plans.filter(({ queues }) => Object.keys(queues).length > 0);
}

function handlersOf(queue: string, jobs: AnyHandledJob[], app: App, log: Logger): QueueHandlers {
  const [first] = jobs;
  if (jobs.length === 1 && first!.name === queue) return handlerOf(first!, app, log);
  const own = jobs.find(({ name }) => name === queue);
  return Object.fromEntries(jobs.map((job) => [job === own ? '*' : job.name, handlerOf(job, app, log)]));
}

/** A handler of the worker: checks what arrives and what is returned. Neither is better at the next attempt. */
function handlerOf(job: AnyHandledJob, app: App, log: Logger): Handler {
  const { declaration, handler } = job;
  const { payload: payloadSchema, result: resultSchema } = declaration.settings;
  const checkResult = async (value: unknown) => {
    if (resultSchema) await permanently(() => parsed(resultSchema, asReceived(value, 'result'), 'result'));
  };
  return async (leased, context) => {
    const given = withoutType(declaration, leased.payload);
    const payload = await permanently(() => parsed(payloadSchema, given, 'payload'));
    const result: unknown = await inApp(app, async () =>
      handler(payload, {
        get signal() {
          return context.signal;
        },
        progress: context.progress,
        get step() {
          return context.step;
        },
        completeIn: async (tx, value) => {
          await checkResult(value);
          return context.completeIn(tx, value);
        },
        attempt: leased.retryCount + 1,
        get log() {
          return both(withFields(log, { job: job.name, id: leased.id }), context.log);
        },
        job: leased,
      }),
    );
    await checkResult(result);
    return result;
  };
}

/** A logger of the application that throws must not fail the job. */
const both = (own: Logger, kept: JobLog): JobLog =>
  logOf((level, text, fields) => {
    kept[level](text, fields);
    try {
      own[level](text, fields);
    } catch (error) {
      kept.warn('The logger has failed', { error });
    }
  });

async function permanently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PermanentError(errorLine(error), { cause: error });
  }
}

function requireNames(jobs: AnyHandledJob[]): void {
  const names = new Set<string>();
  for (const { name, handler } of jobs) {
    if (typeof handler !== 'function')
      throw new TypeError(`${name}: has no handler; give work() what handle() returns`);
    if (names.has(name)) throw new TypeError(`${name}: two jobs have this name`);
    names.add(name);
  }
}

function concurrencyOf(queue: string, jobs: AnyHandledJob[]): number | undefined {
  const [own, ...others] = new Set(jobs.map(({ declaration }) => declaration.settings.concurrency));
  if (others.length > 0) throw new TypeError(`concurrency: the jobs of queue ${queue} have different ones`);
  return own;
}
