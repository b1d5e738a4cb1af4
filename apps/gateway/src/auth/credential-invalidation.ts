import { Injectable } from '@nestjs/common';
import { SpooledError } from '@spooled/domain';
import { Authenticator } from '@spooled/service';

/** Check interval. A check reads only the cache of this process. */
const intervalMs = 500;

type OnRejected = (error: SpooledError) => void;

/** Ends streams and waiting claims whose credential has been revoked, has expired, or belongs to a deleted organization. */
@Injectable()
export class CredentialInvalidation {
  private readonly watches = new Map<string, Set<OnRejected>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly authenticator: Authenticator) {}

  /** Calls `onRejected` once the key or access token is rejected. @returns stops watching */
  watch(credential: string, onRejected: OnRejected): () => void {
    const watchers = this.watches.get(credential) ?? new Set();
    this.watches.set(credential, watchers.add(onRejected));
    this.timer ??= setInterval(() => this.check(), intervalMs).unref();
    return () => {
      watchers.delete(onRejected);
      if (watchers.size === 0 && this.watches.get(credential) === watchers) this.watches.delete(credential);
      if (this.watches.size === 0) this.stopTimer();
    };
  }

  private check(): void {
    for (const [credential, watchers] of this.watches) {
      this.authenticator.ofCredential(credential).catch((error: unknown) => {
        // While credentials cannot be checked, nothing is ended; claims fail on their own.
        if (!(error instanceof SpooledError) || error.status !== 401) return;
        for (const reject of [...watchers]) reject(error);
      });
    }
  }

  private stopTimer(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
