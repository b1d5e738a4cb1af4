import { Injectable } from '@nestjs/common';
import { InFlight } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import { WorkService } from './work.service.js';

export interface Lease {
  organizationId: string;
  jobId: string;
  leaseId: string;
}

/** Releases leases whose jobs cannot reach their worker, or cannot be ended by it (BX-02). Uses up no attempt. */
@Injectable()
export class LeaseReleaser {
  private readonly inFlight = new InFlight();

  constructor(
    private readonly work: WorkService,
    private readonly logger: AppLogger,
  ) {}

  /** `delivered`: the worker had received the jobs. Never throws; leases that cannot be released expire. */
  release(leases: readonly Lease[], { delivered = false } = {}): void {
    for (const [organizationId, own] of Map.groupBy(leases, (lease) => lease.organizationId)) {
      const release = this.work.release(organizationId, own, delivered).catch((error: unknown) => {
        this.logger.warn({ err: error, leases: own.length }, 'could not release leases; they will expire');
      });
      void this.inFlight.track(release);
    }
  }

  /** Resolves when no release is in progress. */
  idle(): Promise<void> {
    return this.inFlight.idle();
  }
}
