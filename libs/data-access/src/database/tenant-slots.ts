import { systemClock } from '@spooled/clock';
import { type Clock, FairQueue, TenantShares, unavailable } from '@spooled/domain';

interface Waiting {
  begin(): void;
  isAbandoned: boolean;
}

/** One tenant alone gets two thirds of the connections: enough to keep PostgreSQL busy, and the rest is for others and for batches. */
const weight = 2;

/**
 * Shares a pool's connections among tenants (BX-03): the pool itself serves its callers in order, so one tenant with hundreds of slow
 * reads would make all others wait for them. Waiting tenants are served round robin.
 */
export class TenantSlots {
  private readonly shares: TenantShares;
  private readonly waiting = new FairQueue<Waiting>();

  constructor(
    connections: number,
    private readonly maxWaitMs: number,
    private readonly clock: Clock = systemClock,
  ) {
    this.shares = new TenantShares(connections);
  }

  /** Runs `work` when the tenant may have one more connection. @throws SpooledError 503 after the maximum wait, and what `work` throws */
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

  private hasSlot(tenant: string): boolean {
    return this.shares.available(tenant, weight) > 0;
  }

  private wait(tenant: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isAbandoned: false,
        begin: () => {
          timer.cancel();
          resolve();
        },
      };
      const timer = this.clock.after(this.maxWaitMs, () => {
        waiting.isAbandoned = true;
        reject(unavailable('PostgreSQL', 1, new Error(`the organization got no connection in ${this.maxWaitMs} ms`)));
      });
      this.waiting.push(tenant, waiting);
    });
  }

  /** Gives free connections to waiting tenants in turn. */
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
