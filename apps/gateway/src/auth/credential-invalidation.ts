import { Inject, Injectable } from '@nestjs/common';
import { type Clock, mayDo, type Permission, roleRefused, SpooledError, type Timer } from '@spooled/domain';
import { Authenticator, CLOCK } from '@spooled/service';

/** Check interval. A check reads only the cache of this process. */
const intervalMs = 500;

interface Watcher {
  permission: Permission;
  reject(error: SpooledError): void;
}

/**
 * Ends streams and waiting claims whose credential became invalid: revoked, expired, of a deleted organization, or without the permission.
 */
@Injectable()
export class CredentialInvalidation {
  private readonly watches = new Map<string, Set<Watcher>>();
  private timer: Timer | null = null;

  constructor(
    private readonly authenticator: Authenticator,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Calls `reject` once the key or access token is rejected, or its role lacks the permission. @returns stops watching */
  watch(credential: string, permission: Permission, reject: Watcher['reject']): () => void {
    const watcher = { permission, reject };
    const watchers = this.watches.get(credential) ?? new Set();
    this.watches.set(credential, watchers.add(watcher));
    this.timer ??= this.clock.every(intervalMs, () => this.check()).unref();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.watches.get(credential) === watchers) this.watches.delete(credential);
      if (this.watches.size === 0) this.stopTimer();
    };
  }

  private check(): void {
    for (const [credential, watchers] of this.watches) {
      void this.authenticator.ofCredential(credential).then(
        (principal) => {
          for (const { permission, reject } of [...watchers]) {
            if (!mayDo(principal.role, permission)) reject(roleRefused(principal, permission));
          }
        },
        (error: unknown) => {
          // While credentials cannot be checked, nothing is ended; claims fail on their own.
          if (!(error instanceof SpooledError) || error.status !== 401) return;
          for (const { reject } of [...watchers]) reject(error);
        },
      );
    }
  }

  private stopTimer(): void {
    if (this.timer) this.timer?.cancel();
    this.timer = null;
  }
}
