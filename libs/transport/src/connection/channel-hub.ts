import type { Clock, Timer } from '@spooled/domain';
import type { Redis } from 'ioredis';
import { plainChannels, type ChannelProtocol } from './channel-protocol.js';
import type { TransportLog } from './transport-log.js';

export type ChannelListener = (message: string) => void;

const checkIntervalMs = 1000;
/** Bounds one SUBSCRIBE after a reconnect when many organizations are subscribed. */
const channelsPerSubscribe = 1000;

/**
 * This process's publish/subscribe connection to one Redis: reference-counted channels, subscribed again after a
 * reconnect.
 */
export class ChannelHub {
  private readonly listeners = new Map<string, Set<ChannelListener>>();
  private readonly subscribed = new Set<string>();
  private readonly subscribing = new Map<string, Promise<unknown>>();
  private readonly resumedListeners: (() => void)[] = [];
  private readonly checks: Timer;
  private resumed = false;

  constructor(
    private readonly redis: Redis,
    private readonly log: TransportLog,
    clock: Clock,
    private readonly protocol: ChannelProtocol = plainChannels,
  ) {
    protocol.onMessage(redis, (channel, message) => this.dispatch(channel, message));
    redis.on('close', () => this.clearSubscriptions());
    redis.on('ready', () => void this.resume());
    // An idle subscriber would otherwise notice a dead or demoted server only after minutes.
    this.checks = clock.every(checkIntervalMs, () => this.check()).unref();
  }

  /** Whether the connection is up and all its channels are subscribed. */
  get connected(): boolean {
    return this.resumed;
  }

  isSubscribed(channel: string): boolean {
    return this.subscribed.has(channel);
  }

  /** Resolves when the channel is subscribed, or when the connection is down. Never rejects. */
  async ready(channel: string): Promise<void> {
    await this.subscribing.get(channel);
  }

  /** Calls `listener` for each message until the returned function is called. Channels are reference-counted. */
  subscribe(channel: string, listener: ChannelListener): () => void {
    const known = this.listeners.get(channel);
    if (known) known.add(listener);
    else {
      this.listeners.set(channel, new Set([listener]));
      if (this.redis.status === 'ready') this.subscribeFirst(channel);
    }
    return () => this.unsubscribe(channel, listener);
  }

  /** Called after each reconnect: messages may have been lost before it. */
  onResumed(listener: () => void): void {
    this.resumedListeners.push(listener);
  }

  /** Called when the connection is lost. */
  onLost(listener: () => void): void {
    this.redis.on('close', listener);
  }

  close(): void {
    this.checks.cancel();
    this.listeners.clear();
    this.redis.disconnect();
  }

  private subscribeFirst(channel: string): void {
    const attempt = this.subscribeNow([channel]).finally(() => {
      if (this.subscribing.get(channel) === attempt) this.subscribing.delete(channel);
    });
    this.subscribing.set(channel, attempt);
  }

  private unsubscribe(channel: string, listener: ChannelListener): void {
    const known = this.listeners.get(channel);
    if (!known?.delete(listener) || known.size > 0) return;
    this.listeners.delete(channel);
    this.subscribed.delete(channel);
    // A failure means that the connection, and with it the subscription, is lost.
    if (this.redis.status === 'ready') this.protocol.unsubscribe(this.redis, channel).catch(() => undefined);
  }

  private async resume(): Promise<void> {
    const channels = [...this.listeners.keys()];
    for (let from = 0; from < channels.length; from += channelsPerSubscribe) {
      if (!(await this.subscribeNow(channels.slice(from, from + channelsPerSubscribe)))) return;
    }
    this.resumed = this.redis.status === 'ready';
    for (const listener of this.resumedListeners) listener();
  }

  private clearSubscriptions(): void {
    this.resumed = false;
    this.subscribed.clear();
  }

  private async subscribeNow(channels: string[]): Promise<boolean> {
    try {
      await this.protocol.subscribe(this.redis, channels);
    } catch (error) {
      // Expected while the connection is down; the next 'ready' subscribes again.
      if (this.redis.status === 'ready') this.log.warn({ channels: channels.length, err: error }, 'SUBSCRIBE failed');
      return false;
    }
    for (const channel of channels) if (this.listeners.has(channel)) this.subscribed.add(channel);
    return true;
  }

  private dispatch(channel: string, message: string): void {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.log.error({ channel, err: error }, 'A channel listener failed');
      }
    }
  }

  private check(): void {
    if (this.redis.status === 'ready') this.protocol.check(this.redis).catch(() => undefined);
  }
}
