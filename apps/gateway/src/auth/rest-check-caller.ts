import { type CheckCaller, endSignal, type Principal, reportCharge } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import type { RequestLimits } from './request-limits.js';

/** A REST request that has payloads checked: it pays with tokens of its caller's bucket, and waits until it ends (BX-09). */
export class RestCheckCaller implements CheckCaller {
  private signal: AbortSignal | null = null;

  constructor(
    private readonly principal: Principal,
    private readonly reply: FastifyReply,
    private readonly limits: Pick<RequestLimits, 'charge'>,
  ) {}

  get organizationId(): string {
    return this.principal.organizationId;
  }

  /** Created when it is needed: few requests have checks. */
  get ended(): AbortSignal {
    return (this.signal ??= endSignal(this.reply));
  }

  async charge(tokens: number): Promise<void> {
    reportCharge(this.reply, await this.limits.charge(this.principal, tokens), tokens);
  }
}
