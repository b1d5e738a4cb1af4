import type { ServerUnaryCall, StatusObject } from '@grpc/grpc-js';
import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { requirePermission, type ShareOwner, SpooledError } from '@spooled/domain';
import { METRICS, SETTINGS, type Metrics } from '@spooled/platform';
import { StreamSlots, type StreamSlot } from '@spooled/transport';
import { CredentialInvalidation } from '../auth/credential-invalidation.js';
import { ownerOfPrincipal, type Principal, UnsentBytes, type UnsentReader } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { Admission, credentialOf } from './admission.js';
import { permissionOf } from './grpc-access.js';
import { GrpcAccessLog } from './grpc-access-log.js';
import { setRate, toStatus } from './grpc-status.js';
import { resetCall } from './open-calls.js';
import { answerMetadata } from './unary-calls.js';

/** An admitted stream, as its handler sees it. */
export interface StreamSession {
  readonly organizationId: string;
  /** Of its organization, by the plan that it had when the stream opened. */
  readonly share: ShareOwner;
  /** The connection by its remote end, `address:port`. */
  readonly connection: string;
  /** Aborted when the stream must end: its client disconnected, its key was revoked, or the process stops. */
  readonly ending: AbortSignal;
  /** Aborted when the client has disconnected, or was disconnected because it does not read. */
  readonly disconnected: AbortSignal;
  /** Of a payload of its organization, by the plan that it had when the stream opened. */
  readonly maxPayloadBytes: number;
  /** What waits for the client, until it has accepted everything or its call is closed. */
  readonly unsent: UnsentReader;
  /** The current owner of the key. @throws SpooledError 401, 403 when its role may no longer use the stream, 503 */
  identify(): Promise<Principal>;
}

/** A call whose responses are a stream, whatever its messages are. */
interface StreamCall extends Pick<
  ServerUnaryCall<unknown, unknown>,
  'cancelled' | 'getPath' | 'getPeer' | 'metadata' | 'sendMetadata'
> {
  once(event: 'cancelled', listener: () => void): unknown;
  emit(event: 'error', status: StatusObject): boolean;
  end(): void;
}

/** Runs every stream: admits it, watches its key, and ends it with the status that says why. */
@Injectable()
export class OpenStreams {
  private readonly open = new Map<AbortController, { connection: string; running: Promise<void> }>();
  private stopping: SpooledError | null = null;

  constructor(
    private readonly admission: Admission,
    private readonly accessLog: GrpcAccessLog,
    private readonly credentials: CredentialInvalidation,
    private readonly slots: StreamSlots,
    private readonly unsent: UnsentBytes,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
    @Inject(SETTINGS)
    private readonly settings: Pick<GatewaySettings, 'GRPC_MAX_STREAMS' | 'QUEUE_MAX_PAYLOAD_SIZE_BYTES'>,
  ) {}

  /** A handler for `addService` that runs `serve` until it returns or throws. */
  handler<Call extends StreamCall>(
    kind: JobStreamKind,
    serve: (call: Call, session: StreamSession) => Promise<void>,
  ): (call: Call) => void {
    return (call) => this.run(call, kind, (session) => serve(call, session));
  }

  private run(call: StreamCall, kind: JobStreamKind, serve: (session: StreamSession) => Promise<void>): void {
    const end = new AbortController();
    const disconnected = new AbortController();
    call.once('cancelled', () => {
      disconnected.abort();
      end.abort();
    });
    this.metrics.liveStreams.inc({ kind });
    const running = this.accessLog
      .logged(call.getPath(), call, (requestId) => this.serve(call, kind, { requestId, end, disconnected }, serve))
      .then((error) => {
        this.metrics.liveStreams.dec({ kind });
        this.open.delete(end);
        conclude(call, error && this.statusOf(error, call));
      });
    this.open.set(end, { connection: call.getPeer(), running });
  }

  /** Ends the streams of these connections with UNAVAILABLE; their clients open them again on other connections. */
  endOn(connections: readonly string[]): void {
    const leaving = new Set(connections);
    for (const [end, { connection }] of this.open) if (leaving.has(connection)) end.abort(connectionTooOld());
  }

  /** Ends every stream with UNAVAILABLE. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.stopping = shuttingDown();
    for (const end of this.open.keys()) end.abort(this.stopping);
    await Promise.all([...this.open.values()].map(({ running }) => running));
  }

  /** Ends a stream at once, together with what its client has not read. */
  private disconnect({ metadata }: StreamCall, end: AbortController, disconnected: AbortController): void {
    this.metrics.liveStreamsEnded.inc({ reason: 'slow_reader' });
    disconnected.abort();
    end.abort(notRead);
    resetCall(metadata);
  }

  /** @throws SpooledError 429 when the organization has too many streams open, over all replicas */
  private async takeSlot(organizationId: string): Promise<StreamSlot> {
    const limit = this.settings.GRPC_MAX_STREAMS;
    const slot = await this.slots.take(organizationId, 'grpc', limit);
    if (!slot) throw tooManyStreams(limit);
    return slot;
  }

  /** A refused stream has sent no metadata, so the limits are in the trailers. */
  private statusOf(error: SpooledError, call: StreamCall): StatusObject {
    const status = toStatus(error);
    setRate(status.metadata, this.admission.rateOf(call));
    return status;
  }

  private async serve(
    call: StreamCall,
    kind: JobStreamKind,
    { requestId, end, disconnected }: { requestId: string; end: AbortController; disconnected: AbortController },
    serve: (session: StreamSession) => Promise<void>,
  ): Promise<void> {
    if (this.stopping) throw this.stopping;
    const connection = call.getPeer();
    const { principal, limit } = this.admission.admit(call);
    const credential = credentialOf(call.metadata)!;
    const slot = await this.takeSlot(principal.organizationId);
    call.sendMetadata(answerMetadata(requestId, limit));
    const permission = permissionOf(call.getPath())!;
    const unwatch = this.credentials.watch(credential, permission, (error) => end.abort(error));
    try {
      const { organizationId } = principal;
      const identify = async () => {
        const owner = await this.admission.identify(credential);
        requirePermission(owner, permission);
        return owner;
      };
      const share = ownerOfPrincipal(principal);
      const unsent = this.unsent.open(kind, share, () => this.disconnect(call, end, disconnected));
      // At every end of a call, also after its status: until then what was written waits in this process.
      call.once('cancelled', () => unsent.close());
      if (call.cancelled) unsent.close();
      const { max_payload_size_bytes: ofPlan } = principal.limits;
      const maxPayloadBytes = Math.min(this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES, ofPlan ?? Infinity);
      const signals = { ending: end.signal, disconnected: disconnected.signal };
      await serve({ organizationId, share, connection, unsent, maxPayloadBytes, identify, ...signals });
    } finally {
      unwatch();
      slot.release();
    }
    // `serve` returns when the stream must end; the reason becomes the status.
    if (end.signal.reason instanceof SpooledError) throw end.signal.reason;
  }
}

/** Kinds of `UnsentKind`. */
type JobStreamKind = 'stream_jobs' | 'stream_batches' | 'process_jobs';

const notRead = new SpooledError(
  'SERVICE_UNAVAILABLE',
  'The client does not read, and others of its organization wait',
);

const retryAfterSeconds = 10;

const tooManyStreams = (limit: number): SpooledError =>
  new SpooledError('RATE_LIMIT_EXCEEDED', `Too many open streams of jobs (${limit} per organization)`, {
    retryAfterSeconds,
  });

const shuttingDown = (): SpooledError =>
  new SpooledError('SERVICE_UNAVAILABLE', 'The server is shutting down', { retryAfterSeconds: 1 });

const connectionTooOld = (): SpooledError =>
  new SpooledError('SERVICE_UNAVAILABLE', 'The connection has reached its longest age; open the stream again', {
    retryAfterSeconds: 0,
  });

function conclude(call: StreamCall, status: StatusObject | null): void {
  if (call.cancelled) return;
  if (status) call.emit('error', status);
  else call.end();
}

/**
 * Sends messages and waits until the client's flow control has accepted all of them or the signal is aborted. Resolves with how many
 * were accepted; the others are in the connection's buffer and are sent if the client continues to read.
 */
export function sendAll<Message>(
  call: { write(message: Message, sent: () => void): boolean },
  messages: readonly Message[],
  unless: AbortSignal,
): Promise<number> {
  if (unless.aborted || messages.length === 0) return Promise.resolve(0);
  return new Promise((resolve) => {
    let accepted = 0;
    const abandon = () => resolve(accepted);
    unless.addEventListener('abort', abandon, { once: true });
    for (const message of messages) {
      call.write(message, () => {
        if (++accepted < messages.length) return;
        unless.removeEventListener('abort', abandon);
        resolve(accepted);
      });
    }
  });
}
