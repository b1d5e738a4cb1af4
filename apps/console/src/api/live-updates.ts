import {
  type HttpClient,
  keepConnected,
  type RealtimeEvent,
  type RealtimeEventName,
  sseStream,
} from '@spooled/sdk/browser';
import { serverNow } from '../ui/server-time';

const allTopics = ['jobs', 'queues', 'workers', 'schedules', 'workflows'] as const;
/** What a view shows. A view is refreshed when something of its topics has changed. */
export type Topic = (typeof allTopics)[number];

export interface StreamState {
  status: 'connecting' | 'open' | 'away';
  /** Why there are no events while it is away: the stream cannot be opened, or the server of the stream says that Redis is unavailable. */
  cause: 'stream' | 'redis' | null;
  /** Since when, in milliseconds since the epoch. */
  since: number;
}

/** At most one refresh per second, however many events arrive. */
const flushMs = 1_000;

/** Nobody sees the difference. 500 events per second that happen one by one arrive in 10 parts. */
const gatherMs = 100;

/** `job.progress` and `job.status` repeat what other events say, except for queues, whose counts every status changes. */
const topicsOf: Partial<Record<string, readonly Topic[]>> = {
  job: ['jobs', 'queues'],
  queue: ['queues'],
  worker: ['workers'],
  workflow: ['workflows'],
  schedule: ['schedules'],
};

/** Not heartbeats: they change nothing but times, which views also read at intervals. */
const events: RealtimeEventName[] = [
  'job.status',
  'job.created',
  'job.completed',
  'job.failed',
  'job.progress',
  'queue.paused',
  'queue.resumed',
  'queue.stats',
  'schedule.triggered',
  'worker.registered',
  'worker.deregistered',
  'workflow.started',
  'workflow.completed',
  'workflow.failed',
  'system.health',
];

/** A user waits for the server to come back, so more often than a program would. */
const maxReconnectMs = 4_000;
/** A refusal may be of a proxy that has no server at the moment. */
const refusedMs = 30_000;

/**
 * One stream of server-sent events for the whole page. Its events only say which topics have changed; `onChange` gets these at most
 * once per second. A hidden page has no stream.
 */
export class LiveUpdates {
  state: StreamState = { status: 'connecting', cause: null, since: serverNow() };
  private readonly changed = new Set<Topic>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private connection: AbortController | undefined;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly observers = new Set<(event: RealtimeEvent) => void>();

  constructor(
    private readonly http: HttpClient,
    private readonly onChange: (topics: ReadonlySet<Topic>) => void,
  ) {}

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getState = (): StreamState => this.state;

  /** Calls the observer with every event, of which there may be thousands per second. @returns a function that stops it */
  observe(observer: (event: RealtimeEvent) => void): () => void {
    this.observers.add(observer);
    return () => void this.observers.delete(observer);
  }

  /** Idempotent. */
  open(): void {
    if (this.connection) return;
    this.connection = new AbortController();
    const { signal } = this.connection;
    const listener = {
      connected: () => this.become('open'),
      event: (event: RealtimeEvent) => {
        // Without Redis the stream is open and no event reaches it.
        if (event.name === 'system.health')
          return event.data.redis ? this.become('open') : this.become('away', 'redis');
        for (const observer of this.observers) observer(event);
        for (const topic of topicsOf[event.name.split('.', 1)[0]!] ?? []) this.note(topic);
      },
      disconnected: () => this.become('away', 'stream'),
    };
    void keepConnected(sseStream(this.http, { gatherMs }), { events }, listener, {
      signal,
      maxDelayMs: maxReconnectMs,
    }).then((refused) => refused && this.openLater());
  }

  close(): void {
    this.connection?.abort();
    this.connection = undefined;
    clearTimeout(this.timer);
    clearTimeout(this.reopening);
    this.timer = undefined;
    this.changed.clear();
    this.become('connecting');
  }

  private openLater(): void {
    this.become('away', 'stream');
    this.reopening = setTimeout(() => {
      this.connection = undefined;
      this.open();
    }, refusedMs);
  }

  private note(topic: Topic): void {
    this.changed.add(topic);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const topics = new Set(this.changed);
      this.changed.clear();
      this.onChange(topics);
    }, flushMs);
  }

  private become(status: StreamState['status'], cause: StreamState['cause'] = null): void {
    if (status === this.state.status && cause === this.state.cause) return;
    const since = status === this.state.status ? this.state.since : serverNow();
    this.state = { status, cause, since };
    // Events may have been missed; and reading shows at once whether the server answers at all.
    if (status !== 'connecting') for (const topic of allTopics) this.note(topic);
    for (const listener of this.listeners) listener();
  }
}
