import { Injectable } from '@nestjs/common';
import { SpooledError } from '@spooled/domain';
import { Authenticator } from './authenticator.js';

/** How late a revoked credential may be noticed; asking is a look into this process's cache. */
const intervalMs = 500;

type OnRefused = (error: SpooledError) => void;

/** Ends what is open for long when its credential is no longer valid: revoked, expired, or its organization gone. */
@Injectable()
export class CredentialInvalidation {
  private readonly watches = new Map<string, Set<OnRefused>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly authenticator: Authenticator) {}

  /** Calls `onRefused` when the key or access token is refused; returns how to stop watching. */
  watch(credential: string, onRefused: OnRefused): () => void {
    const watchers = this.watches.get(credential) ?? new Set();
    this.watches.set(credential, watchers.add(onRefused));
    this.timer ??= setInterval(() => this.check(), intervalMs).unref();
    return () => {
      watchers.delete(onRefused);
      if (watchers.size === 0 && this.watches.get(credential) === watchers) this.watches.delete(credential);
      if (this.watches.size === 0) this.rest();
    };
  }

  private check(): void {
    for (const [credential, watchers] of this.watches) {
      this.authenticator.ofCredential(credential).catch((error: unknown) => {
        // While credentials cannot be checked, nothing ends; claims fail by themselves.
        if (!(error instanceof SpooledError) || error.status !== 401) return;
        for (const refuse of [...watchers]) refuse(error);
      });
    }
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
