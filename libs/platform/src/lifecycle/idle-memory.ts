import { performance } from 'node:perf_hooks';

/** Shares of a minute in which the event loop was busy: less is idle, more is work that leaves garbage. */
const idleBelow = 0.02;
const workAbove = 0.1;
/** So that pauses between two loads do not cost a collection each. */
const idleMinutes = 5;

/**
 * Releases memory once when a process has been idle for a minute after its start, or for five minutes after work. Idle processes
 * allocate so slowly that V8 would keep the garbage of a load for hours: 80 s after one, gateway and engine together had 310 MB more than
 * after the start.
 */
export class IdleMemory {
  /** The start leaves garbage too; after it one idle minute is enough. */
  private hasWorked = true;
  private minutesIdle = idleMinutes - 1;

  /** @param utilization share of the time since its last call in which the event loop was busy */
  constructor(
    private readonly release: () => Promise<void>,
    private readonly utilization: () => number = utilizationOfThisProcess(),
  ) {}

  /** Called every minute. */
  async afterMinute(): Promise<void> {
    const busy = this.utilization();
    this.hasWorked ||= busy > workAbove;
    this.minutesIdle = busy < idleBelow ? this.minutesIdle + 1 : 0;
    if (!this.hasWorked || this.minutesIdle < idleMinutes) return;
    this.hasWorked = false;
    await this.release();
  }
}

function utilizationOfThisProcess(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
