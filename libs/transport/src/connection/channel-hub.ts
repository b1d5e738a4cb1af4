import type { Redis } from 'ioredis';
import type { TransportLog } from './transport-log.js';

export type ChannelListener = (message: string) => void;

const pingIntervalMs = 1000;
/** Bounds one SUBSCRIBE after a reconnect of an instance that serves very many organizations. */
const channelsPerSubscribe = 1000;

/** The one publish/subscribe connection of this process to one Redis: counts references, subscribes again by itself. */
export class ChannelHub {
  private readonly listeners = new Map<string, Set<ChannelListener>>();
  private readonly live = new Set<string>();
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly resumedListeners = new Set<() => void>();
  private readonly pings: NodeJS.Timeout;
  private resumed = false;

  constructor(
    private readonly redis: Redis,
    private readonly log: TransportLog,
  ) {
    redis.on('message', (channel: string, message: string) => this.hand(channel, message));
    redis.on('close', () => this.forgetSubscriptions());
    redis.on('ready', () => void this.resume());
    // Without traffic of its own a subscriber would notice a vanished peer only after minutes.
    this.pings = setInterval(() => this.ping(), pingIntervalMs).unref();
  }

  /** Whether the connection stands and all channels wanted before it came up are subscribed. */
  get connected(): boolean {
    return this.resumed;
  }

  isLive(channel: string): boolean {
    return this.live.has(channel);
  }

  /** Resolves when a subscribed channel is live, or cannot be because the connection is down. Never rejects. */
  async ready(channel: string): Promise<void> {
    await this.underWay.get(channel);
  }

  /** Calls `listener` for each message until the returned function is called. Channels are shared and counted. */
  subscribe(channel: string, listener: ChannelListener): () => void {
    const known = this.listeners.get(channel);
    if (known) known.add(listener);
    else {
      this.listeners.set(channel, new Set([listener]));
      if (this.redis.status === 'ready') this.subscribeFirst(channel);
    }
    return () => this.unsubscribe(channel, listener);
  }

  /** Called after each subscription anew: messages may have been lost before it. */
  onResumed(listener: () => void): () => void {
    this.resumedListeners.add(listener);
    return () => this.resumedListeners.delete(listener);
  }

  /** Called when the connection breaks. */
  onLost(listener: () => void): void {
    this.redis.on('close', listener);
  }

  close(): void {
    clearInterval(this.pings);
    this.listeners.clear();
    this.redis.disconnect();
  }

  private subscribeFirst(channel: string): void {
    const attempt = this.subscribeNow([channel]).finally(() => {
      if (this.underWay.get(channel) === attempt) this.underWay.delete(channel);
    });
    this.underWay.set(channel, attempt);
  }

  private unsubscribe(channel: string, listener: ChannelListener): void {
    const known = this.listeners.get(channel);
    if (!known?.delete(listener) || known.size > 0) return;
    this.listeners.delete(channel);
    this.live.delete(channel);
    // A failure here means that the connection, and the subscription with it, is gone.
    if (this.redis.status === 'ready') this.redis.unsubscribe(channel).catch(() => undefined);
  }

  private async resume(): Promise<void> {
    const channels = [...this.listeners.keys()];
    for (let from = 0; from < channels.length; from += channelsPerSubscribe) {
      if (!(await this.subscribeNow(channels.slice(from, from + channelsPerSubscribe)))) return;
    }
    this.resumed = this.redis.status === 'ready';
    for (const listener of this.resumedListeners) listener();
  }

  private forgetSubscriptions(): void {
    this.resumed = false;
    this.live.clear();
  }

  private async subscribeNow(channels: string[]): Promise<boolean> {
    try {
      await this.redis.subscribe(...channels);
    } catch (error) {
      // While the connection is down this is expected; the next 'ready' subscribes again.
      if (this.redis.status === 'ready') this.log.warn({ channels: channels.length, err: error }, 'SUBSCRIBE failed');
      return false;
    }
    for (const channel of channels) if (this.listeners.has(channel)) this.live.add(channel);
    return true;
  }

  private hand(channel: string, message: string): void {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.log.error({ channel, err: error }, 'A channel listener failed');
      }
    }
  }

  private ping(): void {
    if (this.redis.status === 'ready') this.redis.ping().catch(() => undefined);
  }
}
