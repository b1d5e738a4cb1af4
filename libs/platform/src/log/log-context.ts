import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** What a line of log should be findable by. */
export interface LogContext {
  organizationId?: string;
  jobId?: string;
  requestId?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `fn` so that every line logged below it, also after awaits, carries these ids. Inner contexts add to outer ones. */
export const withLogContext = <T>(context: LogContext, fn: () => T): T =>
  storage.run({ ...storage.getStore(), ...context }, fn);

/** Runs `fn` in a context that its owner keeps hold of, so that callbacks which left it can come back to it. */
export const resumeLogContext = <T>(running: LogContext, fn: () => T): T => storage.run(running, fn);

/**
 * Adds ids to the context that is already running, for what is only known half way, such as the tenant after
 * authentication. Without a running context it does nothing.
 */
export function addLogContext(context: LogContext): void {
  const running = storage.getStore();
  if (running) Object.assign(running, context);
}

/** The fields that the running context and the active span give to a log line. */
export function contextFields(): Record<string, string | undefined> {
  const { organizationId, jobId, requestId } = storage.getStore() ?? {};
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(span && isSpanContextValid(span) && { trace_id: span.traceId, span_id: span.spanId }),
    ...(organizationId && { organization_id: organizationId }),
    ...(jobId && { job_id: jobId }),
    ...(requestId && { request_id: requestId }),
  };
}
