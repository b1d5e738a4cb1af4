import { type EnqueueResult, formatActor, type ProductMetrics, type ReadJson } from '@spooled/contracts';
import {
  authenticationFailed,
  jobQuota,
  planLimits,
  SpooledError,
  upgradeTo,
  type PlanLimits,
  type PlanOverrides,
} from '@spooled/domain';
import { addLogContext, newId, type AppLogger, type Metrics } from '@spooled/platform';
import {
  type CheckCaller,
  type Commands,
  organizationBucket,
  type PayloadContracts,
  rateExceeded,
  readJson,
} from '@spooled/service';
import type { RateLimitResult, RateLimits } from '@spooled/transport';
import type { FastifyRequest } from 'fastify';
import {
  fromCustom,
  fromGithub,
  fromStandard,
  fromStripe,
  headerOf,
  type Headers,
  type IncomingJob,
} from './incoming-job.js';
import type { AdmittedCall, ArrivedCall, IngestionAdmission } from './ingestion-admission.js';
import type { RefusalLog } from './refusal-log.js';
import { isGithubSignature, isStandardSignature, isStripeSignature, type StandardHeaders } from './signatures.js';

/** Senders that sign their calls. */
export type SigningSource = 'github' | 'stripe' | 'standard';
export type Source = 'custom' | SigningSource;

export interface Accepted extends EnqueueResult {
  queueName: string;
}

/** Who has sent a webhook. */
export interface Sender {
  /** Called with the state of the organization's rate limit, allowed or not. */
  onRate(rate: RateLimitResult): void;
  /** Called with the state of the organization's rate limit after a check of the payload has taken tokens. */
  onCharge(rate: RateLimitResult, tokens: number): void;
  /** Aborted when the sender no longer waits. */
  ended(): AbortSignal;
}

export interface IngestionOptions {
  planOverrides: PlanOverrides;
  maxPayloadBytes: number;
  defaults: { maxRetries: number; timeoutSeconds: number };
}

/**
 * Turns incoming webhooks into jobs: admit, verify, limit, parse, check, enqueue (SP-52). Nothing is parsed before it is
 * verified.
 */
export class IngestionService {
  constructor(
    private readonly admission: IngestionAdmission,
    private readonly commands: Pick<Commands, 'run'>,
    private readonly contracts: Pick<PayloadContracts, 'require'>,
    private readonly limiter: Pick<RateLimits, 'check' | 'charge'>,
    private readonly refusals: Pick<RefusalLog, 'record'>,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'webhooksReceived'>,
    private readonly logger: AppLogger,
    private readonly options: IngestionOptions,
  ) {}

  /**
   * Checks before the body is read.
   * @param onRate called with the state of the address's rate limits, allowed or not
   * @throws SpooledError 429, 400, 404, 401, 503
   */
  async admit(
    source: Source,
    organizationId: string,
    request: FastifyRequest,
    onRate: (rate: RateLimitResult) => void,
  ): Promise<AdmittedCall> {
    const call = await this.countRefusals(source, null, () =>
      this.admission.arrive(source, organizationId, request, onRate),
    );
    return this.countRefusals(source, call, () => this.admission.authenticate(call));
  }

  /**
   * @throws SpooledError 401, 429, 400, 415, 422, 413, 503
   */
  async accept(call: AdmittedCall, rawBody: Buffer, sender: Sender): Promise<Accepted> {
    const accepted = await this.countRefusals(call.source, call, () => this.run(call, rawBody, sender));
    this.count(call.source, accepted.created ? 'accepted' : 'duplicate');
    return accepted;
  }

  /** Counts and logs refusals and failures. `call` null: it is not known to be for an organization that exists. */
  private async countRefusals<T>(source: Source, call: ArrivedCall | null, run: () => Promise<T> | T): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const refused = error instanceof SpooledError && error.status < 500;
      this.count(source, refused ? 'refused' : 'failed');
      if (refused) this.logRefusal(source, call, error);
      throw error;
    }
  }

  private logRefusal(source: Source, call: ArrivedCall | null, { code, message: reason }: SpooledError): void {
    this.logger.info({ source, code, reason }, 'webhook refused');
    if (!call) return;
    const { receiver, headers, address } = call;
    const eventType = (source === 'github' ? headerOf(headers, 'x-github-event') : undefined) ?? source;
    this.refusals.record(receiver.organizationId, { provider: source, eventType, code, reason, address });
  }

  private async run(call: AdmittedCall, rawBody: Buffer, sender: Sender): Promise<Accepted> {
    const { receiver } = call;
    this.verifySignature(call, rawBody);
    call.onAuthenticated();
    const limits = planLimits(receiver.planTier, this.options.planOverrides, receiver.customLimits);
    await this.limit(receiver.organizationId, limits, sender);
    const job = jobOf(call, await readBody(call, rawBody));
    this.checkPayloadSize(job, limits);
    const { queueName, value, payload } = job;
    await this.contracts.require(this.callerOf(receiver.organizationId, limits, sender), () => [
      { queueName, path: 'payload', value: () => value, text: () => payload },
    ]);
    return this.enqueue(call, job, limits);
  }

  /** Verifies the signature of the raw body, of senders that sign. */
  private verifySignature({ source, headers, receiver }: AdmittedCall, rawBody: Buffer): void {
    if (source === 'custom') return;
    const isSigned = verifiers[source];
    const now = Math.floor(Date.now() / 1000);
    if (!this.admission.secretsOf(source, receiver).some((secret) => isSigned(headers, secret, rawBody, now)))
      throw authenticationFailed('Invalid webhook signature');
  }

  /** Counted only for authenticated senders: others must not use up an organization's rate. */
  private async limit(organizationId: string, limits: PlanLimits, { onRate }: Sender) {
    const rate = await this.limiter.check(organizationId, [organizationBucket(organizationId, limits)]);
    onRate(rate);
    if (!rate.allowed) throw rateExceeded(rate);
  }

  /** The organization pays for the check of the payload. */
  private callerOf(organizationId: string, limits: PlanLimits, sender: Sender): CheckCaller {
    const bucket = organizationBucket(organizationId, limits);
    return {
      organizationId,
      get ended() {
        return sender.ended();
      },
      charge: async (tokens) => sender.onCharge(await this.limiter.charge(organizationId, [bucket], tokens), tokens),
    };
  }

  /** A body may have 5 MB, but a job's payload only what the plan allows. */
  private checkPayloadSize({ payload }: IncomingJob, { tier, max_payload_size_bytes: planLimit }: PlanLimits): void {
    const limit = Math.min(planLimit, this.options.maxPayloadBytes);
    const current = Buffer.byteLength(payload);
    if (current <= limit) return;
    throw new SpooledError('PAYLOAD_TOO_LARGE', `The payload has ${current} bytes; ${limit} are allowed`, {
      extras: { error: 'payload_too_large', current, limit, plan: tier, upgrade_to: upgradeTo(tier) },
    });
  }

  private async enqueue(
    { source: provider, receiver: { organizationId } }: AdmittedCall,
    { eventType, value: _value, ...job }: IncomingJob,
    limits: PlanLimits,
  ): Promise<Accepted> {
    const caller = { organizationId, actor: formatActor('webhook', provider) };
    const id = newId();
    addLogContext({ jobId: id });
    const { jobs } = await this.commands.run('job.enqueue', caller, {
      jobs: [{ ...unsetFields, ...job, id }],
      quota: jobQuota(limits),
      defaults: this.options.defaults,
      inbound: { provider, eventType },
    });
    return { ...jobs[0]!, queueName: job.queueName };
  }

  private count(source: Source, outcome: string): void {
    this.metrics.webhooksReceived.inc({ source, outcome });
  }
}

type Verify = (headers: Headers, secret: string, rawBody: Buffer, now: number) => boolean;

const verifiers: Record<SigningSource, Verify> = {
  github: (headers, secret, rawBody) =>
    isGithubSignature(headerOf(headers, 'x-hub-signature-256') ?? '', secret, rawBody),
  stripe: (headers, secret, rawBody, now) =>
    isStripeSignature(headerOf(headers, 'stripe-signature') ?? '', secret, rawBody, now),
  standard: (headers, secret, rawBody, now) => isStandardSignature(standardHeaders(headers), secret, rawBody, now),
};

const standardHeaders = (headers: Headers): StandardHeaders => ({
  id: headerOf(headers, 'webhook-id') ?? '',
  timestamp: headerOf(headers, 'webhook-timestamp') ?? '',
  signature: headerOf(headers, 'webhook-signature') ?? '',
});

/** Fields left to the queue's settings. */
const unsetFields = {
  maxRetries: null,
  timeoutSeconds: null,
  scheduledAt: null,
  expiresAt: null,
  parentJobId: null,
  completionWebhook: null,
  completionWebhookSecret: null,
};

/** Forms, which GitHub sends unless it is told otherwise. */
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Any content type is taken whose body is JSON. @throws SpooledError 400, 415 for a form */
async function readBody({ headers }: AdmittedCall, rawBody: Buffer): Promise<ReadJson> {
  try {
    return await readJson(rawBody);
  } catch (error) {
    const isForm = formTypes.test(headerOf(headers, 'content-type') ?? '');
    if (!isForm || !(error instanceof SpooledError)) throw error;
    const reason = 'must be application/json: choose it where the sender is set up';
    throw new SpooledError('UNSUPPORTED_MEDIA_TYPE', `content-type: ${reason}`, {
      details: { 'content-type': reason },
    });
  }
}

function jobOf({ source, headers }: AdmittedCall, body: ReadJson): IncomingJob {
  if (source === 'github') return fromGithub(body, headers);
  if (source === 'standard') return fromStandard(body, headers);
  return source === 'stripe' ? fromStripe(body) : fromCustom(body);
}
