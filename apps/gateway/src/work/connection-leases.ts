import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';
import { type Lease, LeaseReleaser } from './lease-releaser.js';

/** Beyond this many on one connection the oldest are forgotten, and end by their own time. */
const maxHeld = 4096;

/**
 * The leases that streams have handed to workers, by connection. When a connection closes (a killed worker's does at once), its
 * jobs go back without waiting for their leases to run out and without costing an attempt (BX-02).
 */
@Injectable()
export class ConnectionLeases {
  /** By connection, then by job; a connection is in here for as long as it is open. */
  private readonly held = new Map<string, Map<string, Lease>>();
  private draining = false;

  constructor(
    private readonly returns: LeaseReleaser,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'GRPC_RELEASE_ON_DISCONNECT'>,
  ) {}

  opened(connection: string): void {
    this.held.set(connection, new Map());
  }

  /** Binds a lease to a connection that has received it. One that is closed already cannot have; its lease goes back. */
  hold(connection: string, lease: Lease): void {
    const leases = this.held.get(connection);
    if (!leases) return void (this.isBinding() && this.giveBack([lease]));
    leases.set(lease.jobId, lease);
    if (leases.size > maxHeld) leases.delete(leases.keys().next().value!);
  }

  /** The job has ended, or is on its way back. */
  forget(connection: string, jobId: string): void {
    this.held.get(connection)?.delete(jobId);
  }

  closed(connection: string): void {
    const leases = this.held.get(connection);
    this.held.delete(connection);
    if (leases && this.isBinding()) this.giveBack([...leases.values()]);
  }

  /** Gives back what never reached its worker. Never throws; what fails ends by its own time. */
  giveBack(leases: readonly Lease[]): void {
    this.returns.release(leases);
  }

  /** From now on connections close because we stop; their workers live on and end their jobs at another gateway. */
  drain(): void {
    this.draining = true;
  }

  /** Resolves when nothing is on its way back any more. */
  settled(): Promise<void> {
    return this.returns.settled();
  }

  private isBinding(): boolean {
    return this.settings.GRPC_RELEASE_ON_DISCONNECT && !this.draining;
  }
}
