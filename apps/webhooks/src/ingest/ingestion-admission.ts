import type { WebhookReceiver } from '@spooled/data-access';
import { authenticationFailed, badRequest, isUuid } from '@spooled/domain';
import { addLogContext } from '@spooled/platform';
import type { AddressCall, AddressLimits } from '@spooled/service';
import type { RateLimitResult } from '@spooled/transport';
import type { FastifyRequest } from 'fastify';
import { headerOf, type Headers } from './incoming-job.js';
import type { SigningSource, Source } from './ingestion.service.js';
import type { Receivers } from './receivers.js';
import { isSameSecret } from './signatures.js';

/**
 * Unauthenticated calls of one address for one organization: a sender with a wrong secret must not use up the address
 * limit of others.
 */
const unauthenticatedPerMinute = 300;

/** A call within the limits of its address, for an organization that exists. */
export interface ArrivedCall {
  source: Source;
  receiver: WebhookReceiver;
  headers: Headers;
  address: string;
  /** Takes the call out of the count of its address's limits. */
  refund(): void;
}

/** A call whose body may be read: the credentials that headers can carry are verified. */
export interface AdmittedCall extends ArrivedCall {
  /** Called once the sender is authenticated: the call is then refunded from its address's limits. */
  onAuthenticated(): void;
}

export interface AdmissionOptions {
  httpsOnly: boolean;
  /** For organizations without a secret of their own. */
  secrets: WebhookReceiver['secrets'];
}

/** Admits calls before their body is read: address limit and receiver, then credentials in headers. */
export class IngestionAdmission {
  constructor(
    private readonly receivers: Receivers,
    private readonly addresses: AddressLimits,
    private readonly options: AdmissionOptions,
  ) {}

  /** Before the body is read. @throws SpooledError 429, 404, 503 */
  async arrive(
    source: Source,
    organizationId: string,
    { headers, socket }: FastifyRequest,
    onCount: (rate: RateLimitResult) => void,
  ): Promise<ArrivedCall> {
    const address = this.addresses.addressOf(headers, socket.remoteAddress);
    const call = { ...this.callOf(organizationId, address), onCount };
    await this.addresses.check(call);
    const receiver = await this.receivers.find(organizationId);
    addLogContext({ organizationId: receiver.organizationId });
    return { source, receiver, headers, address, refund: () => this.addresses.refund(call) };
  }

  /** Before the body is read. @throws SpooledError 400, 401 */
  authenticate(call: ArrivedCall): AdmittedCall {
    const { source, receiver, headers, refund } = call;
    if (this.options.httpsOnly && !isHttps(headers)) throw badRequest('Webhooks must be sent over HTTPS');
    this.checkToken(source, headers, receiver);
    if (source !== 'custom') this.requireSignature(source, headers, receiver);
    else if (receiver.token !== null) refund();
    return { ...call, onAuthenticated: source === 'custom' ? () => undefined : refund };
  }

  /** The secrets of this source's signatures: two while they change. Any of them verifies a call. */
  secretsOf(source: SigningSource, { secrets }: WebhookReceiver): string[] {
    return secrets[source].length > 0 ? secrets[source] : this.options.secrets[source];
  }

  /**
   * Senders that sign cannot send custom headers: their token is checked only if present. Other senders need the token
   * if the organization has one (SP-56).
   */
  private checkToken(source: Source, headers: Headers, receiver: WebhookReceiver): void {
    const token = headerOf(headers, 'x-webhook-token');
    const tokenNeeded = receiver.token !== null && (source === 'custom' || token !== undefined);
    if (tokenNeeded && !isSameSecret(token ?? '', receiver.token!)) {
      throw authenticationFailed(`${token === undefined ? 'Missing' : 'Invalid'} webhook token`);
    }
  }

  private requireSignature(source: SigningSource, headers: Headers, receiver: WebhookReceiver): void {
    // Never skipped: without a secret no sender can be verified.
    if (this.secretsOf(source, receiver).length === 0)
      throw authenticationFailed(`No ${source} webhook secret is configured`);
    if (signatureHeaders[source].some((name) => headerOf(headers, name) === undefined))
      throw authenticationFailed('Missing webhook signature');
  }

  private callOf(organizationId: string, address: string): AddressCall {
    if (!isUuid(organizationId)) return { address };
    const scope = `webhooks:${organizationId.toLowerCase()}`;
    return { address, windows: [{ scope, limit: unauthenticatedPerMinute, windowSeconds: 60 }] };
  }
}

/** The headers that a signature consists of. */
const signatureHeaders: Record<SigningSource, string[]> = {
  github: ['x-hub-signature-256'],
  stripe: ['stripe-signature'],
  standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
};

/** As seen by the first proxy; each proxy appends its own value. */
const isHttps = (headers: Headers): boolean =>
  headerOf(headers, 'x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https';
