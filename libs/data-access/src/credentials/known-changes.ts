/** Which changes a read of the database shows already. */
export interface ReadPosition {
  /** Transactions before this one had ended. */
  position: number;
  /** Milliseconds since 1970 by the database's clock. */
  readAt: number;
}

export const changeKinds = ['api_key', 'organization', 'settings', 'session'] as const;

/** What changed: one API key (`subject` is its digest), a session (its id), or an organization (empty). */
export interface CredentialChange {
  organizationId: string;
  kind: (typeof changeKinds)[number];
  subject: string;
  /** The transaction that made the change. */
  xid: number;
  /** Milliseconds since 1970 by the database's clock. */
  changedAt: number;
}

type Subject = Pick<CredentialChange, 'organizationId' | 'kind' | 'subject'>;

const nameOf = ({ organizationId, kind, subject }: Subject): string => `${kind} ${organizationId} ${subject}`;

/**
 * Whether a read at `read` may have missed `change`. Transactions say so exactly; times as well, because numbers of
 * transactions begin again lower where a standby that had fallen behind takes over, or a backup is restored.
 */
export const isMissedBy = ({ position, readAt }: ReadPosition, { xid, changedAt }: CredentialChange): boolean =>
  xid >= position || changedAt > readAt;

/** The last change of each subject, for as long as anything may be cached that does not show it. */
export class KnownChanges {
  /** In the order of their arrival, so that the oldest come first. */
  private readonly latest = new Map<string, CredentialChange & { arrival: number }>();
  /** How many changes have arrived. */
  arrivals = 0;

  constructor(private readonly keptMs: number) {}

  /** Whether the change is news; a reader may meet one several times. */
  add(change: CredentialChange): boolean {
    const name = nameOf(change);
    const known = this.latest.get(name);
    if (known && known.xid === change.xid && known.changedAt === change.changedAt) return false;
    this.latest.delete(name);
    this.latest.set(name, { ...change, arrival: ++this.arrivals });
    return true;
  }

  /**
   * Whether a change of one of the subjects is known that a read at `read` may have missed. A read that began after the first
   * `shown` changes had arrived has seen them.
   */
  hasMissedBy(read: ReadPosition, subjects: Subject[], shown: number): boolean {
    return subjects.some((subject) => {
      const change = this.latest.get(nameOf(subject));
      return change !== undefined && change.arrival > shown && isMissedBy(read, change);
    });
  }

  /** `now` by the database's clock. */
  forgetOld(now: number): void {
    for (const [name, { changedAt }] of this.latest) {
      if (changedAt > now - this.keptMs) return;
      this.latest.delete(name);
    }
  }
}
