import type { Clock } from './clock.js';
import { FairQueue } from './fair-queue.js';
import { TenantShares } from './tenant-shares.js';

export interface TenantSlotsOptions {
  /** What may run at once. */
  slots: number;
  /** After so long in the queue, the work is refused. */
  maxWaitMs: number;
  clock: Clock;
  refusal(): Error;
}

interface Waiting {
  begin(): void;
  isAbandoned: boolean;
}

/** One tenant alone gets two thirds of the slots; the rest is for others. */
const weight = 2;

/**
 * Shares slots among tenants (BX-03). In the order of their requests, one tenant with hundreds of slow reads would make all others wait
 * for them. Waiting tenants are served round robin.
 */
export class TenantSlots {
  private readonly shares: TenantShares;
  private readonly waiting = new FairQueue<Waiting>();
  private waitingCount = 0;

  constructor(private readonly options: TenantSlotsOptions) {
    this.shares = new TenantShares(options.slots);
  }

  /** Runs `work` when the tenant may have one more slot. @throws the refusal after the maximum wait, and what `work` throws */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    if (this.hasSlot(tenant)) this.shares.take(tenant, 1);
    else await this.wait(tenant);
    try {
      return await work();
    } finally {
      this.shares.release(tenant, 1);
      this.serve();
    }
  }

  /** Work that waits for a slot. */
  get waitingWork(): number {
    return this.waitingCount;
  }

  private hasSlot(tenant: string): boolean {
    return this.shares.available(tenant, weight) > 0;
  }

  private wait(tenant: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isAbandoned: false,
        begin: () => {
          this.waitingCount--;
          timer.cancel();
          resolve();
        },
      };
      const timer = this.options.clock.after(this.options.maxWaitMs, () => {
        waiting.isAbandoned = true;
        this.waitingCount--;
        reject(this.options.refusal());
      });
      this.waiting.push(tenant, waiting);
      this.waitingCount++;
    });
  }

  /** Gives free slots to waiting tenants in turn. */
  private serve(): void {
    for (;;) {
      const tenant = this.waiting.nextAmong((one) => this.hasSlot(one));
      if (tenant === undefined) return;
      const next = this.waiting.take(tenant)!;
      if (next.isAbandoned) continue;
      this.shares.take(tenant, 1);
      next.begin();
    }
  }
}
