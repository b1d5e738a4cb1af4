import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { entriesUpTo } from '@spooled/clock';
import { addressBlock, clientAddress, SpooledError, type ProxyTrust } from '@spooled/domain';
import type { SettingsOf } from '@spooled/platform';
import {
  rateLimitKeys,
  type RateLimit,
  type RateLimitResult,
  type RateLimits,
  type RateLimitScope,
} from '@spooled/transport';
import { LRUCache } from 'lru-cache';
import type { addressSettings } from '../settings/limit.settings.js';
import { rateExceeded, uncounted } from './rate-limits.js';

type AddressSettings = SettingsOf<typeof addressSettings>;

export const proxyTrust = (
  settings: Pick<AddressSettings, 'TRUSTED_CLIENT_IP_HEADER' | 'TRUSTED_PROXY_HOPS'>,
): ProxyTrust => ({ header: settings.TRUSTED_CLIENT_IP_HEADER, hops: settings.TRUSTED_PROXY_HOPS });

/** An additional, stricter limit of one address, for example against guessing. */
export interface AddressWindow {
  scope: string;
  limit: number;
  windowSeconds: number;
  /** What responses say that the limit counts. @default 'ip' */
  counts?: RateLimitScope;
}

/** A counted call; `windows` are limits in addition to the one of every unauthenticated caller. */
export interface AddressCall {
  /** From `addressOf`. */
  address: string;
  windows?: readonly AddressWindow[];
  /** Overrides RATE_LIMIT_FAIL_CLOSED. */
  failClosed?: boolean;
  /** Called with the state of the limits whenever they are counted. */
  onCount?: (result: RateLimitResult) => void;
}

const isRefusal = (error: unknown): boolean => error instanceof SpooledError && error.status === 401;

/**
 * Rate limits by address for callers without a valid credential, on every server (SP-67). They are checked before a credential is
 * looked up and before a body is read. Callers with a valid credential are not counted: many of them may share one address.
 */
export class AddressLimits {
  /** Digests of credentials that were valid in this process; the authenticator decides whether they still are. */
  private readonly accepted = new LRUCache<string, true>(entriesUpTo(50_000));
  private readonly attempts = new Map<string, Promise<unknown>>();

  constructor(
    private readonly limiter: RateLimits,
    private readonly settings: AddressSettings,
  ) {}

  /** The caller's address, as limits and logs name it. */
  addressOf(headers: IncomingHttpHeaders, socketAddress: string | undefined): string {
    return clientAddress(headers, socketAddress ?? 'unknown', proxyTrust(this.settings));
  }

  /** Counts one unauthenticated request. @throws SpooledError 429, 503 */
  check(call: AddressCall): Promise<void> {
    return this.count(call, this.limitsOf(call));
  }

  /** As `check`, in the windows of the call only. @throws SpooledError 429, 503 */
  async checkWindows(call: AddressCall): Promise<void> {
    const windows = this.windowsOf(call);
    if (windows.length > 0) await this.count(call, windows);
  }

  /** What responses say about a caller of whom nothing was counted: it may make as many calls as every address. */
  uncounted(): RateLimitResult {
    return uncounted(this.limitsOf({ address: '' })[0]!);
  }

  /** Undoes one `check`, because its caller was authenticated. */
  refund(call: AddressCall): void {
    this.limiter.refund(addressBlock(call.address), this.limitsOf(call));
  }

  /** Refunds only the windows of one `check`: it was a request, but not a failed authentication. */
  refundWindows(call: AddressCall): void {
    const windows = this.windowsOf(call);
    if (windows.length > 0) this.limiter.refund(addressBlock(call.address), windows);
  }

  /**
   * Runs `identify` for a credential. A credential that was not valid in this process before is counted before it is looked up, and
   * refunded if it is valid; for a credential that was valid before, only a failure is counted.
   * @param callOf called only when something is counted, which is rare
   * @throws SpooledError 429, 503, and any error of `identify`
   */
  async authenticate<T>(callOf: () => AddressCall, credential: string, identify: () => Promise<T>): Promise<T> {
    const digest = hash('sha256', credential, 'base64');
    if (this.accepted.has(digest)) return this.authenticateAgain(callOf, digest, identify);
    const call = callOf();
    const attempt = `${call.address} ${digest}`;
    // After a restart many clients arrive at once with one key: that is one attempt if the key is valid.
    const before = this.attempts.get(attempt);
    if (before) await before.catch(() => undefined);
    if (this.accepted.has(digest)) return this.authenticateAgain(callOf, digest, identify);
    const running = this.authenticateFirst(call, digest, identify);
    this.attempts.set(attempt, running);
    const done = () => void (this.attempts.get(attempt) === running && this.attempts.delete(attempt));
    running.then(done, done);
    return running;
  }

  private async authenticateFirst<T>(call: AddressCall, digest: string, identify: () => Promise<T>): Promise<T> {
    await this.check(call);
    try {
      const identity = await identify();
      this.accepted.set(digest, true);
      this.refund(call);
      return identity;
    } catch (error) {
      // The credential was not rejected: the attempt could not be checked.
      if (!isRefusal(error)) this.refund(call);
      throw error;
    }
  }

  private async authenticateAgain<T>(
    callOf: () => AddressCall,
    digest: string,
    identify: () => Promise<T>,
  ): Promise<T> {
    try {
      return await identify();
    } catch (error) {
      if (isRefusal(error)) {
        this.accepted.delete(digest);
        await this.check(callOf());
      }
      throw error;
    }
  }

  private async count({ address, failClosed, onCount }: AddressCall, limits: RateLimit[]): Promise<void> {
    const result = await this.limiter.check(addressBlock(address), limits, failClosed);
    onCount?.(result);
    if (!result.allowed) throw rateExceeded(result);
  }

  private windowsOf(call: AddressCall): RateLimit[] {
    return this.limitsOf(call).filter(({ kind }) => kind === 'window');
  }

  private limitsOf({ address, windows = [] }: AddressCall): RateLimit[] {
    const block = addressBlock(address);
    const { RATE_LIMIT_REQUESTS_PER_SECOND: ratePerSecond, RATE_LIMIT_BURST_SIZE: burst } = this.settings;
    return [
      { kind: 'bucket', key: rateLimitKeys.address(block), scope: 'ip', ratePerSecond, burst },
      ...windows.map(({ scope, limit, windowSeconds, counts }): RateLimit => {
        return {
          kind: 'window',
          key: rateLimitKeys.address(block, scope),
          scope: counts ?? 'ip',
          limit,
          windowSeconds,
        };
      }),
    ];
  }
}
