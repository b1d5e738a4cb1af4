import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '@spooled/platform';
import { healthEvent, type LiveEvent } from './live-event.js';

const intervalMs = 10_000;

/** Sends the system's health to every events stream; one check and one serialization for all. */
@Injectable()
export class HealthBroadcaster implements OnModuleInit, OnModuleDestroy {
  private readonly listeners = new Set<(event: LiveEvent) => void>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly health: HealthChecks) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.broadcast(), intervalMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Calls `listener` every 10 s until the returned function is called. */
  follow(listener: (event: LiveEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async broadcast(): Promise<void> {
    if (this.listeners.size === 0) return;
    const { checks } = await this.health.report();
    const event = healthEvent(checks.database === true, checks.cache === true);
    for (const listener of this.listeners) listener(event);
  }
}
