import type { RealtimeEvent, RealtimeEventName } from './events.js';

export interface StreamFilter {
  /** Only events of this queue. */
  queue?: string;
  /** Only events of this job. */
  jobId?: string;
  /** Only these events; all if absent. */
  events?: RealtimeEventName[];
}

/** Callbacks of a connection. */
export interface StreamListener {
  connected(): void;
  event(event: RealtimeEvent): void;
}

/**
 * Runs one connection. Resolves when the server closes it or the signal is aborted.
 *
 * @throws SpooledError when it cannot be opened or breaks
 */
export type Connect = (filter: StreamFilter, listener: StreamListener, signal: AbortSignal) => Promise<void>;

/** The query string for the filter, with the question mark; empty without a filter. Same for SSE and WebSocket. */
export function filterQuery({ queue, jobId, events }: StreamFilter, options: Record<string, string> = {}): string {
  const query = new URLSearchParams(options);
  if (queue !== undefined) query.set('queue', queue);
  if (jobId !== undefined) query.set('job_id', jobId);
  if (events !== undefined) query.set('events', events.join(','));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Aborts a connection that has received nothing for a while, because a broken connection may emit no event. */
export class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ms: number) {
    this.refresh();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  refresh(): void {
    this.stop();
    const reason = () => new Error(`Nothing was received for ${this.ms} ms`);
    this.timer = setTimeout(() => this.controller.abort(reason()), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
