import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** Ids that are added to log lines. */
export interface LogContext {
  organizationId?: string;
  jobId?: string;
  requestId?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Adds these ids to every line that `fn` logs, also after awaits. Inner contexts add to outer ones. */
export const withLogContext = <T>(context: LogContext, fn: () => T): T =>
  storage.run({ ...storage.getStore(), ...context }, fn);

/** Runs `fn` in an existing context, for callbacks that have lost it. */
export const resumeLogContext = <T>(running: LogContext, fn: () => T): T => storage.run(running, fn);

/**
 * Adds ids to the current context, for ids that become known later, such as the tenant after authentication. Does nothing without a
 * context.
 */
export function addLogContext(context: LogContext): void {
  const running = storage.getStore();
  if (running) Object.assign(running, context);
}

/** The log fields from the current context and the active span. */
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
