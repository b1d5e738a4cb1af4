import type { RealtimeEvent, RealtimeEventName } from './events.js';

export interface StreamFilter {
  /** Only events of this queue. */
  queue?: string;
  /** Only events of this job. */
  jobId?: string;
  /** Only these; all where absent. */
  events?: RealtimeEventName[];
}

/** What a connection tells while it lives. */
export interface StreamListener {
  connected(): void;
  event(event: RealtimeEvent): void;
}

/**
 * One connection from its opening to its end. Resolves when the server ends it or the signal does.
 *
 * @throws SpooledError when it cannot be opened or breaks
 */
export type Connect = (filter: StreamFilter, listener: StreamListener, signal: AbortSignal) => Promise<void>;

/** The filter as both doors take it, with the question mark; empty without any. */
export function filterQuery({ queue, jobId, events }: StreamFilter): string {
  const query = new URLSearchParams();
  if (queue !== undefined) query.set('queue', queue);
  if (jobId !== undefined) query.set('job_id', jobId);
  if (events !== undefined) query.set('events', events.join(','));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Aborts when nothing has been heard for a while: a connection may die without a word. */
export class IdleTimeout {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.controller.abort(new Error(`Nothing was heard for ${ms} ms`)), ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  broken(): void {
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
