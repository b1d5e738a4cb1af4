import { Inject, Injectable } from '@nestjs/common';
import type { LeaseRef } from '@spooled/contracts';
import { REDIS } from '@spooled/service';
import { QueueSignals, type RedisShards } from '@spooled/transport';

/** Requests to cancel running jobs, at the moment of their commit. Without Redis there are none; renewals carry them as well. */
@Injectable()
export class Cancellations {
  private readonly signals: QueueSignals | null;

  constructor(@Inject(REDIS) redis: RedisShards | null) {
    this.signals = redis && new QueueSignals(redis);
  }

  /** Returns the end of the subscription. */
  onRequest(organizationId: string, listener: (lease: LeaseRef) => void): () => void {
    return this.signals?.onCancel(organizationId, listener) ?? (() => undefined);
  }
}
