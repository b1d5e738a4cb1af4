/** When a read took place, to compare it with changes. */
export interface ReadPosition {
  /** All transactions before this id had ended. */
  position: number;
  /** Milliseconds since 1970 by the database's clock. */
  readAt: number;
}

export const changeKinds = ['api_key', 'organization', 'settings', 'session'] as const;

/** A change of an API key (`subject`: its lookup hash), a session (its id), or an organization (empty). */
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

const subjectKey = ({ organizationId, kind, subject }: Subject): string => `${kind} ${organizationId} ${subject}`;

/**
 * Whether a read may have missed `change`. Transaction ids are exact; timestamps are compared too, because ids restart lower
 * after a failover to a lagging standby or a restore from a backup.
 */
export const mayBeMissedBy = ({ position, readAt }: ReadPosition, { xid, changedAt }: CredentialChange): boolean =>
  xid >= position || changedAt > readAt;

/** The last change of each subject, kept for as long as older data may be cached. */
export class RecentChanges {
  /** In order of arrival, oldest first. */
  private readonly latest = new Map<string, CredentialChange & { arrival: number }>();
  /** Number of changes received. */
  count = 0;

  constructor(private readonly retentionMs: number) {}

  /** @returns whether the change is new; the feed may read a change several times */
  add(change: CredentialChange): boolean {
    const name = subjectKey(change);
    const last = this.latest.get(name);
    if (last && last.xid === change.xid && last.changedAt === change.changedAt) return false;
    this.latest.delete(name);
    this.latest.set(name, { ...change, arrival: ++this.count });
    return true;
  }

  /**
   * Whether a read may have missed a change of one of the subjects. The first `seenChanges` changes arrived before the read
   * began, so it includes them.
   */
  hasChangeMissedBy(read: ReadPosition, subjects: Subject[], seenChanges: number): boolean {
    return subjects.some((subject) => {
      const change = this.latest.get(subjectKey(subject));
      return change !== undefined && change.arrival > seenChanges && mayBeMissedBy(read, change);
    });
  }

  /** @param now the database's time */
  deleteOld(now: number): void {
    for (const [name, { changedAt }] of this.latest) {
      if (changedAt > now - this.retentionMs) return;
      this.latest.delete(name);
    }
  }
}
