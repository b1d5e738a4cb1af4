import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { addressBlock, clientAddress, SpooledError, type ProxyTrust } from '@spooled/domain';
import type { SettingsOf } from '@spooled/platform';
import { rateLimitKeys, type RateLimit, type RateLimitResult, type RateLimits } from '@spooled/transport';
import { LRUCache } from 'lru-cache';
import type { addressSettings } from '../settings/limit.settings.js';
import { rateExceeded } from './rate-limits.js';

type AddressSettings = SettingsOf<typeof addressSettings>;

export const proxyTrust = (
  settings: Pick<AddressSettings, 'TRUSTED_CLIENT_IP_HEADER' | 'TRUSTED_PROXY_HOPS'>,
): ProxyTrust => ({ header: settings.TRUSTED_CLIENT_IP_HEADER, hops: settings.TRUSTED_PROXY_HOPS });

/** A further limit of one address, for what is worth guessing or counting more strictly. */
export interface AddressWindow {
  scope: string;
  limit: number;
  windowSeconds: number;
}

/** What is counted of one caller; `windows` come on top of the limit that every unauthenticated caller has. */
export interface AddressCall {
  /** From `addressOf`. */
  address: string;
  windows?: readonly AddressWindow[];
  /** In place of RATE_LIMIT_FAIL_CLOSED. */
  failClosed?: boolean;
  /** Told the state of the limits whenever they are counted. */
  onCount?: (result: RateLimitResult) => void;
}

/** `max` would reserve room for all of them from the start. */
const keptAtMost = { maxSize: 50_000, sizeCalculation: () => 1 };

const isRefusal = (error: unknown): boolean => error instanceof SpooledError && error.status === 401;

/**
 * The limits of callers that have shown no valid credential, by address, for every server (SP-67). They come before any look-up of
 * a credential and before any body. Callers with a valid credential are not counted: many of them may share one address.
 */
export class AddressLimits {
  /** Digests of credentials that were valid in this process; whether they still are is the authenticator's matter. */
  private readonly accepted = new LRUCache<string, true>(keptAtMost);
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
  async check(call: AddressCall): Promise<void> {
    const result = await this.limiter.check(addressBlock(call.address), this.limitsOf(call), call.failClosed);
    call.onCount?.(result);
    if (!result.allowed) throw rateExceeded(result);
  }

  /** Undoes one `check`, because its caller has proved who it is. */
  giveBack(call: AddressCall): void {
    this.limiter.refund(addressBlock(call.address), this.limitsOf(call));
  }

  /** Undoes what one `check` took from the windows of its call alone: it was no guess, but a request all the same. */
  giveBackWindows(call: AddressCall): void {
    const windows = this.limitsOf(call).filter(({ kind }) => kind === 'window');
    if (windows.length > 0) this.limiter.refund(addressBlock(call.address), windows);
  }

  /**
   * Runs `identify` for a credential. One that this process does not know to be good is counted before it is looked up, and
   * no longer once it proves to be good; of one that was good only a failure is counted.
   * @param callOf asked only when something is counted, which is rare
   * @throws SpooledError 429, 503, and whatever `identify` throws
   */
  async authenticate<T>(callOf: () => AddressCall, credential: string, identify: () => Promise<T>): Promise<T> {
    const digest = hash('sha256', credential, 'base64');
    if (this.accepted.has(digest)) return this.authenticateAgain(callOf, digest, identify);
    const call = callOf();
    const attempt = `${call.address} ${digest}`;
    // After a start a whole fleet comes at once with one key: that is one attempt if it is good.
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
      this.giveBack(call);
      return identity;
    } catch (error) {
      // While credentials cannot be checked, nothing was guessed either.
      if (!isRefusal(error)) this.giveBack(call);
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

  private limitsOf({ address, windows = [] }: AddressCall): RateLimit[] {
    const block = addressBlock(address);
    const { RATE_LIMIT_REQUESTS_PER_SECOND: ratePerSecond, RATE_LIMIT_BURST_SIZE: burst } = this.settings;
    return [
      { kind: 'bucket', key: rateLimitKeys.address(block), ratePerSecond, burst },
      ...windows.map(({ scope, limit, windowSeconds }): RateLimit => {
        return { kind: 'window', key: rateLimitKeys.address(block, scope), limit, windowSeconds };
      }),
    ];
  }
}
