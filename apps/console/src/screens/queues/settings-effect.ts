import { formatCount, formatDuration, formatJobs, formatRate } from '../../ui/format';
import type { QueueFigures } from './queue-figures';
import { capacityOf, type Estimate, estimateWith, type QueueLimits } from './what-if';

/** What can be changed in the settings of a queue. */
export interface LimitsAndDefaults extends QueueLimits {
  /** Of jobs that name none. */
  maxRetries: number;
  /** Of jobs that name none, in seconds. */
  timeout: number;
}

/** How near to a limit a queue must be to count as held back by it. */
const atLimit = 0.9;
/** A change of a duration that is worth a sentence. */
const noticeable = 0.05;

const perSecond = (rate: number): string => formatRate(rate * 3_600);
const over = ({ minutes }: QueueFigures): string => `the last ${minutes} min`;

/** What a change of the settings means, in sentences with measured numbers; none for what stays as it is. */
export function effectsOf(figures: QueueFigures, before: LimitsAndDefaults, after: LimitsAndDefaults): string[] {
  return [
    after.concurrency === before.concurrency ? null : concurrencyEffect(figures, before, after),
    after.rateLimit === before.rateLimit ? null : rateEffect(figures, after),
    after.concurrency === before.concurrency && after.rateLimit === before.rateLimit
      ? null
      : backlogEffect(figures, before, after),
    after.maxRetries === before.maxRetries ? null : retriesEffect(before, after),
    after.timeout === before.timeout ? null : timeoutEffect(figures, after),
  ].filter((sentence) => sentence !== null);
}

function concurrencyEffect({ running }: QueueFigures, before: QueueLimits, { concurrency }: QueueLimits): string {
  const now = running === 1 ? '1 job is in progress' : `${formatJobs(running)} are in progress`;
  if (concurrency !== null && running >= concurrency) {
    const ended = running - concurrency + 1;
    return `${now}: with ${concurrency}, the next one starts when ${ended === 1 ? 'one of them has' : `${ended} of them have`} ended.`;
  }
  if (before.concurrency !== null && running >= before.concurrency) {
    const more = concurrency === null ? 'as many more as workers ask for' : `${concurrency - running} more`;
    return `${now}, which is the limit: ${more} may start at once.`;
  }
  return concurrency === null ? `${now}; any number may be.` : `${now}: ${concurrency - running} more may start.`;
}

function rateEffect(figures: QueueFigures, { rateLimit }: QueueLimits): string | null {
  const { starts } = figures;
  if (starts === null) return null;
  const measured = `${perSecond(starts)} started in ${over(figures)}`;
  if (rateLimit === null) return `${measured}; no rate would hold them back.`;
  return starts > rateLimit
    ? `${measured}: the limit slows the queue down to ${perSecond(rateLimit)}.`
    : `${measured}, which the limit of ${perSecond(rateLimit)} allows.`;
}

/** The backlog's time with the limits as they are and as they would be. */
function backlogEffect(figures: QueueFigures, before: QueueLimits, after: QueueLimits): string | null {
  const { ready } = figures;
  if (ready === null || ready === 0 || figures.isPaused) return null;
  if (isHeldBack(figures, before) && !isTighter(before, after)) {
    return `The present limits hold the queue back: how fast its workers are beyond them was not measured.`;
  }
  const [now, then] = [estimateWith(figures, before), estimateWith(figures, after)];
  const backlog = `The backlog of ${formatJobs(ready)}`;
  if (then.kind === 'drains' && now.kind === 'drains') {
    const isSame = Math.abs(then.seconds / now.seconds - 1) < noticeable;
    return isSame
      ? `${backlog} takes ${span(then.seconds)}, as without the change.`
      : `${backlog} would take ${span(then.seconds)} instead of ${span(now.seconds)}.`;
  }
  if (then.kind === 'drains') return `${backlog} would take ${span(then.seconds)}.`;
  if (then.kind === 'grows') return growth(backlog, figures, then);
  return atLeast(figures, after, ready);
}

const growth = (backlog: string, figures: QueueFigures, { speed }: Estimate): string =>
  `${backlog} would not get shorter: ${perSecond(figures.arrivals ?? 0)} arrive, and ${perSecond(speed)} would end.`;

/** Without measured workers a limit alone still says how long it takes at least. */
function atLeast(figures: QueueFigures, { rateLimit, concurrency }: QueueLimits, ready: number): string | null {
  const { perSlot } = capacityOf(figures);
  const fastest = Math.min(rateLimit ?? Infinity, perSlot === null ? Infinity : (concurrency ?? Infinity) * perSlot);
  if (fastest === Infinity) return null;
  return `With these limits the ${formatCount(ready)} ready jobs take at least ${span(ready / fastest)} to start.`;
}

const isHeldBack = ({ starts, running, busy }: QueueFigures, { rateLimit, concurrency }: QueueLimits): boolean =>
  (rateLimit !== null && starts !== null && starts >= atLimit * rateLimit) ||
  (concurrency !== null && Math.max(running, busy ?? 0) >= atLimit * concurrency);

const isTighter = (before: QueueLimits, after: QueueLimits): boolean =>
  (after.rateLimit ?? Infinity) < (before.rateLimit ?? Infinity) ||
  (after.concurrency ?? Infinity) < (before.concurrency ?? Infinity);

const attempts = (retries: number): string => (retries === 0 ? 'once' : `${formatCount(retries + 1)} times`);

const retriesEffect = (before: LimitsAndDefaults, after: LimitsAndDefaults): string =>
  `A new job that always fails is tried ${attempts(after.maxRetries)} instead of ${attempts(before.maxRetries)}. Jobs that exist keep their number.`;

function timeoutEffect({ runMs }: QueueFigures, { timeout }: LimitsAndDefaults): string {
  const who = 'It holds for new jobs.';
  if (runMs === null) return who;
  const measured = `Jobs ran for ${formatDuration(runMs)} on average in the last day`;
  if (runMs >= timeout * 1_000) return `${measured}: most would not end within ${span(timeout)}. ${who}`;
  return `${measured}, ${Math.round((runMs / (timeout * 1_000)) * 100)} % of the timeout. ${who}`;
}

const span = (seconds: number): string => formatDuration(seconds * 1_000);
