import { status as statusCodes } from '@grpc/grpc-js';
import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import type { SpooledError } from '@spooled/domain';
import { AppLogger, METRICS, requestIdFrom, withLogContext, withSpan, type Metrics } from '@spooled/platform';
import { logFailure, toSpooledError } from '@spooled/service';
import { Admission, textOf, type CallContext } from './admission.js';
import { statusOf } from './grpc-status.js';

/** Gives each call a request id, log context, span, access log line and counters, as REST requests have them. */
@Injectable()
export class GrpcAccessLog {
  constructor(
    private readonly logger: AppLogger,
    private readonly admission: Admission,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {}

  /** Runs a call. Resolves with the error to answer with, null on success; never rejects. */
  logged(path: string, call: CallContext, run: (requestId: string) => Promise<unknown>): Promise<SpooledError | null> {
    const requestId = requestIdFrom(textOf(call.metadata, 'x-request-id'));
    const ip = this.admission.addressOf(call);
    const started = performance.now();
    return withLogContext({ requestId }, async () => {
      const error = await spanned(path, textOf(call.metadata, 'traceparent'), () => run(requestId));
      const durationMs = performance.now() - started;
      const fields = { method: path, status: nameOf(error), duration_ms: Math.round(durationMs * 10) / 10, ip };
      if (error && error.status >= 500) this.logger.warn(fields, 'call');
      else this.logger.info(fields, 'call');
      return error;
    });
  }

  /** Counts an answered call, or an answered message of a stream, and logs server errors. */
  count(error: SpooledError | null, seconds: number): void {
    this.measure(error, seconds);
    if (error) logFailure(this.logger, error, 'call failed');
  }

  /** Counts without logging: for refusals under load, which are logged in sum. */
  measure(error: SpooledError | null, seconds: number): void {
    this.metrics.apiRequests.inc({ method: 'GRPC', status: error ? `${Math.floor(error.status / 100)}xx` : '2xx' });
    this.metrics.apiRequestDuration.observe(seconds);
  }
}

/** Runs inside a span, which only server errors mark as failed. */
async function spanned(
  path: string,
  traceparent: string | undefined,
  run: () => Promise<unknown>,
): Promise<SpooledError | null> {
  const attributes = { 'rpc.system': 'grpc', 'rpc.method': path };
  try {
    return await withSpan(path.slice(1), { kind: 'server', parent: traceparent ?? null, attributes }, async (span) => {
      const error = await run().then(() => null, toSpooledError);
      span.setAttribute('rpc.grpc.status_code', error ? statusOf(error) : statusCodes.OK);
      if (error && error.status >= 500) throw error;
      return error;
    });
  } catch (error) {
    return toSpooledError(error);
  }
}

const nameOf = (error: SpooledError | null): string | undefined =>
  statusCodes[error ? statusOf(error) : statusCodes.OK];
