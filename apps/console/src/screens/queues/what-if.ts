import type { QueueFigures } from './queue-figures';

/** What a queue may do; null = no limit. */
export interface QueueLimits {
  /** Jobs per second. */
  rateLimit: number | null;
  /** Jobs at the same time. */
  concurrency: number | null;
}

export type Estimate = (
  | { kind: 'empty' }
  | { kind: 'paused' }
  /** Nothing was measured that an estimate could rest on. */
  | { kind: 'unknown' }
  /** Nothing starts, because nothing works on the queue. */
  | { kind: 'stopped' }
  | { kind: 'drains'; seconds: number }
  /** `perSecond`: by how many jobs; `workersNeeded`: more than these drain it, null if a limit keeps it growing. */
  | { kind: 'grows'; perSecond: number; workersNeeded: number | null }
) & {
  /** Jobs that end per second. */
  speed: number;
  /** The limit that holds it back. */
  boundBy: keyof QueueLimits | null;
};

/** What a worker does, from the measured figures. */
export interface Capacity {
  /** Jobs that a slot ends per second; null = not measured. */
  perSlot: number | null;
  /** Slots that work now. */
  slots: number;
  slotsPerWorker: number;
  /** `ended`: from what ended in the last minutes; `run time`: from the average run time of a day. */
  source: 'ended' | 'run time' | null;
}

/** Jobs that ended per busy slot; where none ended lately, what the average run time allows. */
export function capacityOf({ ends, busy, running, runMs, workers }: QueueFigures): Capacity {
  const slots = busy !== null && busy > 0 ? busy : running;
  const slotsPerWorker = workers > 0 && slots > 0 ? Math.max(1, slots / workers) : 1;
  if (ends !== null && ends > 0 && slots > 0) return { perSlot: ends / slots, slots, slotsPerWorker, source: 'ended' };
  if (runMs !== null && runMs > 0) return { perSlot: 1_000 / runMs, slots, slotsPerWorker, source: 'run time' };
  return { perSlot: null, slots, slotsPerWorker, source: null };
}

/**
 * When the jobs that are ready have ended with so many more workers (fewer if negative), if as many arrive as lately. Workers that are
 * added are taken to do as much as those that work now.
 */
export function estimateWith(figures: QueueFigures, limits: QueueLimits, moreWorkers = 0): Estimate {
  const { ready, isPaused, arrivals } = figures;
  const { perSlot, slots: present, slotsPerWorker } = capacityOf(figures);
  if (ready === 0) return { kind: 'empty', speed: 0, boundBy: null };
  if (isPaused) return { kind: 'paused', speed: 0, boundBy: null };
  if (ready === null || perSlot === null) return { kind: 'unknown', speed: 0, boundBy: null };
  const slots = Math.max(0, present + moreWorkers * slotsPerWorker);
  if (slots === 0) return { kind: 'stopped', speed: 0, boundBy: null };
  const { speed, boundBy } = limited(slots, perSlot, limits);
  const arriving = arrivals ?? 0;
  if (speed > arriving) return { kind: 'drains', seconds: ready / (speed - arriving), speed, boundBy };
  const isLimited = limited(Infinity, perSlot, limits).speed <= arriving;
  const workersNeeded = isLimited ? null : Math.max(0, Math.floor((arriving / perSlot - present) / slotsPerWorker));
  return { kind: 'grows', perSecond: arriving - speed, workersNeeded, speed, boundBy };
}

function limited(slots: number, perSlot: number, { rateLimit, concurrency }: QueueLimits) {
  const bySlots = slots * perSlot;
  const byConcurrency = concurrency === null ? Infinity : concurrency * perSlot;
  const speed = Math.min(bySlots, byConcurrency, rateLimit ?? Infinity);
  const boundBy = speed === bySlots ? null : speed === rateLimit ? 'rateLimit' : 'concurrency';
  return { speed, boundBy } as const;
}
