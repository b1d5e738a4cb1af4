import type { Window } from '../measure/window.js';

export const pickupRows = { accepted: 'from the response', sent: 'from the send' };

/** When each job was sent, accepted and received by a worker; jobs are numbered. */
export class PickupTimes {
  private readonly sentAt: number[] = [];
  private readonly acceptedAt: (number | undefined)[] = [];
  private readonly wasPickedUp: boolean[] = [];

  constructor(private readonly window: Window) {}

  /** @returns the job's number */
  sent(at: number): number {
    return this.sentAt.push(at) - 1;
  }

  accepted(n: number): void {
    this.acceptedAt[n] = performance.now();
    // A worker received it before the producer received the response.
    if (this.wasPickedUp[n]) this.window.record(0, pickupRows.accepted);
  }

  /** Reports the jobs that no worker has received yet, which the latencies do not include. */
  reportWaiting(): void {
    const now = performance.now();
    const waiting = this.sentAt.filter((_, n) => !this.wasPickedUp[n]);
    if (waiting.length === 0) return;
    this.window.figure('not picked up', waiting.length, pickupRows.sent);
    this.window.figure('oldest waiting, ms', now - waiting[0]!, pickupRows.sent);
  }

  pickedUp(n: number): void {
    const now = performance.now();
    const [sentAt, acceptedAt] = [this.sentAt[n], this.acceptedAt[n]];
    if (sentAt === undefined) return this.window.fail('unknown job');
    this.wasPickedUp[n] = true;
    if (acceptedAt !== undefined) this.window.record(now - acceptedAt, pickupRows.accepted);
    this.window.record(now - sentAt, pickupRows.sent);
  }
}
