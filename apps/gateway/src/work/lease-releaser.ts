import { Injectable } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import { WorkService } from './work.service.js';

export interface Lease {
  organizationId: string;
  jobId: string;
  leaseId: string;
}

/** Gives back, at no cost, what was claimed and cannot reach its worker, or cannot be ended by it any more (BX-02). */
@Injectable()
export class LeaseReleaser {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly work: WorkService,
    private readonly logger: AppLogger,
  ) {}

  /** Never throws; what fails ends by its own time. */
  release(leases: readonly Lease[]): void {
    for (const organizationId of new Set(leases.map((lease) => lease.organizationId))) {
      const own = leases.filter((lease) => lease.organizationId === organizationId);
      const release = this.work.release(organizationId, own).catch((error: unknown) => {
        this.logger.warn({ err: error, leases: own.length }, 'could not release leases; they will expire');
      });
      this.pending.add(release);
      void release.then(() => this.pending.delete(release));
    }
  }

  /** Resolves when nothing is on its way back any more. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }
}
