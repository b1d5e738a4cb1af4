import { Injectable } from '@nestjs/common';
import { SpooledError } from '@spooled/domain';
import { Admission } from './admission.js';

/** How late a revoked key may be noticed; asking is a look into this process's cache. */
const intervalMs = 500;

type OnRefused = (error: SpooledError) => void;

/** Ends streams whose key is no longer valid: revoked, expired, or its organization gone. */
@Injectable()
export class KeyWatch {
  private readonly watches = new Map<string, Set<OnRefused>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly admission: Admission) {}

  /** Calls `onRefused` when the key is refused; returns how to stop watching. */
  watch(key: string, onRefused: OnRefused): () => void {
    const watchers = this.watches.get(key) ?? new Set();
    this.watches.set(key, watchers.add(onRefused));
    this.timer ??= setInterval(() => this.check(), intervalMs).unref();
    return () => {
      watchers.delete(onRefused);
      if (watchers.size === 0 && this.watches.get(key) === watchers) this.watches.delete(key);
      if (this.watches.size === 0) this.rest();
    };
  }

  private check(): void {
    for (const [key, watchers] of this.watches) {
      this.admission.identify(key).catch((error: unknown) => {
        // While keys cannot be checked, streams stay open; their claims fail by themselves.
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
