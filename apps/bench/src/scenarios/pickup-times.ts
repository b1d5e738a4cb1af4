import type { Window } from '../measure/window.js';

export const pickupRows = { accepted: 'from the answer', sent: 'from the send' };

/** When each job was sent, accepted and in a worker's hands; jobs are numbered. */
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
    // A worker had it before its producer had the answer.
    if (this.wasPickedUp[n]) this.window.record(0, pickupRows.accepted);
  }

  /** Tells of the jobs that no worker has had by now: those above were the lucky ones. */
  tellWaiting(): void {
    const now = performance.now();
    const waiting = this.sentAt.filter((_, n) => !this.wasPickedUp[n]);
    if (waiting.length === 0) return;
    this.window.figure('not picked up at the end', waiting.length, pickupRows.sent);
    this.window.figure('since ms', now - waiting[0]!, pickupRows.sent);
  }

  pickedUp(n: number): void {
    const now = performance.now();
    const [sentAt, acceptedAt] = [this.sentAt[n], this.acceptedAt[n]];
    if (sentAt === undefined) return this.window.fail('a job that nobody sent');
    this.wasPickedUp[n] = true;
    if (acceptedAt !== undefined) this.window.record(now - acceptedAt, pickupRows.accepted);
    this.window.record(now - sentAt, pickupRows.sent);
  }
}
