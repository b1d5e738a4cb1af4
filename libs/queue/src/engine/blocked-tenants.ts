const heldUpMs = 5_000;

/** Organizations whose commands have lately waited too long for locks or taken too long. */
export class BlockedTenants {
  private readonly until = new Map<string, number>();

  /** @param onHeldUp told when one is added */
  constructor(private readonly onHeldUp?: (organizationId: string) => void) {}

  /** Whether there are any. */
  get any(): boolean {
    for (const organizationId of this.until.keys()) if (this.has(organizationId)) return true;
    return false;
  }

  note(organizationId: string): void {
    if (!this.has(organizationId)) this.onHeldUp?.(organizationId);
    this.until.set(organizationId, performance.now() + heldUpMs);
  }

  has(organizationId: string): boolean {
    const until = this.until.get(organizationId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.until.delete(organizationId);
    return false;
  }
}
