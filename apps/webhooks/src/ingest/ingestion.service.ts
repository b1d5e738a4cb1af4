import type { EnqueueResult, ProductMetrics } from '@spooled/contracts';
import type { WebhookReceiver } from '@spooled/data-access';
import {
  authenticationFailed,
  jobQuota,
  planLimits,
  SpooledError,
  upgradeTo,
  type PlanLimits,
  type PlanOverrides,
} from '@spooled/domain';
import { addLogContext, currentTraceparent, newId, withSpan, type AppLogger, type Metrics } from '@spooled/platform';
import type { CommandPath } from '@spooled/queue';
import type { RateLimits } from '@spooled/transport';
import { rateLimitKeys, type RateLimitResult } from '@spooled/transport';
import { fromCustom, fromGithub, fromStripe, headerOf, type Headers, type IncomingJob } from './incoming-job.js';
import type { Receivers } from './receivers.js';
import { isGithubSignature, isSameSecret, isStripeSignature } from './signatures.js';

export type Source = 'custom' | 'github' | 'stripe';

export interface IncomingCall {
  source: Source;
  organizationId: string;
  headers: Headers;
  rawBody: Buffer;
}

export interface Accepted extends EnqueueResult {
  queueName: string;
}

export interface IngestionOptions {
  planOverrides: PlanOverrides;
  /** For organizations that have no secret of their own. */
  githubSecret?: string;
  stripeSecret?: string;
  maxPayloadBytes: number;
  /** Senders give up after about ten seconds and come again. */
  commandTimeoutMs: number;
  defaults: { maxRetries: number; timeoutSeconds: number };
}

/** From a stranger's call to a job: prove, limit, read, enqueue (SP-52). Nothing is parsed before it is proven. */
export class IngestionService {
  constructor(
    private readonly receivers: Receivers,
    private readonly path: Pick<CommandPath, 'run'>,
    private readonly limiter: Pick<RateLimits, 'check'>,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'webhooksReceived'>,
    private readonly logger: AppLogger,
    private readonly options: IngestionOptions,
  ) {}

  /**
   * @param onRate told the state of the organization's rate limit as soon as it is known, refused or not
   * @throws SpooledError 404, 401, 429, 400, 422, 413, 503
   */
  async accept(call: IncomingCall, onRate: (rate: RateLimitResult) => void): Promise<Accepted> {
    try {
      const accepted = await this.run(call, onRate);
      this.count(call.source, accepted.created ? 'accepted' : 'duplicate');
      return accepted;
    } catch (error) {
      const refused = error instanceof SpooledError && error.status < 500;
      this.count(call.source, refused ? 'refused' : 'failed');
      if (refused)
        this.logger.info({ source: call.source, code: error.code, reason: error.message }, 'webhook refused');
      throw error;
    }
  }

  private async run(call: IncomingCall, onRate: (rate: RateLimitResult) => void): Promise<Accepted> {
    const receiver = await this.receivers.find(call.organizationId);
    addLogContext({ organizationId: receiver.organizationId });
    this.prove(call, receiver);
    const limits = planLimits(receiver.planTier, this.options.planOverrides, receiver.customLimits);
    await this.limit(receiver.organizationId, limits, onRate);
    const job = read(call);
    this.weigh(job, limits);
    return this.enqueue(receiver.organizationId, job, limits);
  }

  /**
   * A signature over the raw bytes for GitHub and Stripe, which cannot send a header of ours: a token is asked of them only
   * when they show one. Everybody else shows the token, once the organization has one (SP-56).
   */
  private prove({ source, headers, rawBody }: IncomingCall, receiver: WebhookReceiver): void {
    const token = headerOf(headers, 'x-webhook-token');
    const tokenNeeded = receiver.token !== null && (source === 'custom' || token !== undefined);
    if (tokenNeeded && !isSameSecret(token ?? '', receiver.token!)) {
      throw authenticationFailed(`${token === undefined ? 'Missing' : 'Invalid'} webhook token`);
    }
    if (source !== 'custom') this.proveSignature(source, headers, rawBody, receiver);
  }

  private proveSignature(source: 'github' | 'stripe', headers: Headers, rawBody: Buffer, of: WebhookReceiver): void {
    const { githubSecret, stripeSecret } = this.options;
    const secret = source === 'github' ? (of.githubSecret ?? githubSecret) : (of.stripeSecret ?? stripeSecret);
    // Never skipped: without a secret nobody can prove anything.
    if (!secret) throw authenticationFailed(`No ${source} webhook secret is configured`);
    const header = headerOf(headers, source === 'github' ? 'x-hub-signature-256' : 'stripe-signature');
    if (header === undefined) throw authenticationFailed('Missing webhook signature');
    const proven =
      source === 'github'
        ? isGithubSignature(header, secret, rawBody)
        : isStripeSignature(header, secret, rawBody, Math.floor(Date.now() / 1000));
    if (!proven) throw authenticationFailed('Invalid webhook signature');
  }

  /** Counted only for proven senders: a stranger must not be able to use up an organization's rate. */
  private async limit(organizationId: string, limits: PlanLimits, onRate: (rate: RateLimitResult) => void) {
    const key = rateLimitKeys.organization(organizationId, 'ingestion');
    const { rate_limit_requests_per_second: ratePerSecond, rate_limit_burst: burst } = limits;
    const rate = await this.limiter.check(organizationId, [{ kind: 'bucket', key, ratePerSecond, burst }]);
    onRate(rate);
    if (rate.allowed) return;
    const { limit, remaining, resetAtUnix, retryAfterSeconds } = rate;
    throw new SpooledError('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
      extras: {
        error: 'rate_limit_exceeded',
        retry_after_secs: retryAfterSeconds,
        limit,
        remaining,
        reset_at: resetAtUnix,
      },
    });
  }

  /** A body may have 5 MB, a job's payload only what the plan allows (divergence A14). */
  private weigh({ payload }: IncomingJob, { tier, max_payload_size_bytes: ofPlan }: PlanLimits): void {
    const limit = Math.min(ofPlan, this.options.maxPayloadBytes);
    const current = Buffer.byteLength(payload);
    if (current <= limit) return;
    throw new SpooledError('PAYLOAD_TOO_LARGE', `The payload has ${current} bytes; ${limit} are allowed`, {
      extras: { error: 'payload_too_large', current, limit, plan: tier, upgrade_to: upgradeTo(tier) },
    });
  }

  private async enqueue(organizationId: string, job: IncomingJob, limits: PlanLimits): Promise<Accepted> {
    const id = newId();
    addLogContext({ jobId: id });
    const attributes = { 'spooled.command': 'job.enqueue', 'spooled.organization_id': organizationId };
    const { jobs } = await withSpan('command job.enqueue', { kind: 'producer', attributes }, () =>
      this.path.run({
        id: newId(),
        kind: 'job.enqueue',
        organizationId,
        ttlMs: this.options.commandTimeoutMs,
        traceparent: currentTraceparent(),
        body: { jobs: [{ ...unspecified, ...job, id }], quota: jobQuota(limits), defaults: this.options.defaults },
      }),
    );
    return { ...jobs[0]!, queueName: job.queueName };
  }

  private count(source: Source, outcome: string): void {
    this.metrics.webhooksReceived.inc({ source, outcome });
  }
}

/** What a webhook leaves to the queue's settings. */
const unspecified = {
  maxRetries: null,
  timeoutSeconds: null,
  scheduledAt: null,
  expiresAt: null,
  parentJobId: null,
  completionWebhook: null,
  completionWebhookSecret: null,
};

function read({ source, rawBody, headers }: IncomingCall): IncomingJob {
  if (source === 'github') return fromGithub(rawBody, headers);
  return source === 'stripe' ? fromStripe(rawBody) : fromCustom(rawBody);
}
