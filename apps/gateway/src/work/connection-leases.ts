import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';
import { type Lease, LeaseReleaser } from './lease-releaser.js';

/** Maximum leases that are tracked per connection; beyond it the oldest are dropped and expire. */
const maxHeld = 4096;

/**
 * Leases of jobs that streams have sent to workers, by connection. When a connection closes, which happens at once when a worker
 * is killed, its leases are released instead of left to expire; that uses up no attempt (BX-02).
 */
@Injectable()
export class ConnectionLeases {
  /** By connection, then by job. Holds open connections only. */
  private readonly held = new Map<string, Map<string, Lease>>();
  /** Open connections whose leases stay when they close. */
  private readonly leaving = new Set<string>();
  private draining = false;

  constructor(
    private readonly releaser: LeaseReleaser,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'GRPC_RELEASE_ON_DISCONNECT'>,
  ) {}

  opened(connection: string): void {
    this.held.set(connection, new Map());
  }

  /** Records a lease whose job was sent over the connection; releases it if the connection has closed in the meantime. */
  hold(connection: string, lease: Lease): void {
    const leases = this.held.get(connection);
    if (!leases) return void (this.releasesOnClose() && this.release([lease]));
    leases.set(lease.jobId, lease);
    if (leases.size > maxHeld) leases.delete(leases.keys().next().value!);
  }

  /** Call when the job has ended or is being released. */
  forget(connection: string, jobId: string): void {
    this.held.get(connection)?.delete(jobId);
  }

  closed(connection: string): void {
    const leases = this.held.get(connection);
    this.held.delete(connection);
    const leaves = this.leaving.delete(connection);
    if (leases && !leaves && this.releasesOnClose()) this.releaser.release([...leases.values()], { delivered: true });
  }

  /** Releases leases whose jobs did not reach their worker. Never throws; leases that cannot be released expire. */
  release(leases: readonly Lease[]): void {
    this.releaser.release(leases);
  }

  /** Keeps the leases of these connections when they close: their workers were asked to connect again, and finish their jobs. */
  keep(connections: readonly string[]): void {
    for (const connection of connections) if (this.held.has(connection)) this.leaving.add(connection);
  }

  /** Stops releasing on close: connections close because this process stops, and workers finish their jobs at another gateway. */
  drain(): void {
    this.draining = true;
  }

  /** Resolves when no release is in progress. */
  idle(): Promise<void> {
    return this.releaser.idle();
  }

  private releasesOnClose(): boolean {
    return this.settings.GRPC_RELEASE_ON_DISCONNECT && !this.draining;
  }
}
