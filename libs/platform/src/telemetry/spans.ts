import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Exception,
  type Link,
  type Span,
  type SpanOptions as ApiSpanOptions,
  type TimeInput,
} from '@opentelemetry/api';
import { withSourcePositions } from '../log/source-positions.js';

export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind?: SpanKindName;
  attributes?: Attributes;
  /** W3C traceparent of the span that caused this one; null = start a new trace; default: the active span. */
  parent?: string | null;
  /** W3C traceparents of other spans that this work belongs to, such as every caller in a batch. */
  links?: readonly (string | null)[];
  /** A Date, or milliseconds since 1970. */
  startTime?: TimeInput;
}

const kinds: Record<SpanKindName, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

let tracer = trace.getTracer('platform');

/** A tracer keeps its first provider. Call this after another one is registered. */
export function renewTracer(): void {
  tracer = trace.getTracer('platform');
}

/** The context of a traceparent; empty if tracing is off or the traceparent is invalid. */
export const contextOf = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent });

function parentContext(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : contextOf(parent);
}

function linkTo(traceparent: string | null): Link[] {
  const linked = traceparent ? trace.getSpanContext(contextOf(traceparent)) : undefined;
  return linked ? [{ context: linked }] : [];
}

const apiOptions = ({ kind = 'internal', attributes, links = [], startTime }: SpanOptions): ApiSpanOptions => ({
  kind: kinds[kind],
  attributes,
  links: links.flatMap(linkTo),
  startTime,
});

/** The error fields that OpenTelemetry reads, with source positions in the stack. */
function asException(error: Error): Exception {
  const { name, message, stack } = error;
  const { code } = error as { code?: string | number };
  return { code, name, message, stack: stack && withSourcePositions(stack) };
}

function markFailed(span: Span, error: unknown): void {
  if (error instanceof Error && span.isRecording()) span.recordException(asException(error));
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
}

/** Runs `fn` inside a span. An error marks the span as failed and is rethrown. */
export function withSpan<T>(name: string, options: SpanOptions, fn: (span: Span) => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, apiOptions(options), parentContext(options.parent), async (span) => {
    try {
      return await fn(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Records a past span, such as the time in a queue. @returns its traceparent, as parent of later spans; null if it is not traced. */
export function recordSpan(
  name: string,
  { endTime, error, ...options }: SpanOptions & { startTime: TimeInput; endTime: TimeInput; error?: unknown },
): string | null {
  const parent = parentContext(options.parent);
  const span = tracer.startSpan(name, apiOptions(options), parent);
  if (error !== undefined) markFailed(span, error);
  span.end(endTime);
  return traceparentOf(trace.setSpan(parent, span));
}

function traceparentOf(of: Context): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(of, carrier);
  return carrier.traceparent ?? null;
}

/** The active span as W3C traceparent; null if it is not traced. */
export const currentTraceparent = (): string | null => traceparentOf(context.active());

/** A span that starts and ends in different callbacks. */
export interface OpenSpan {
  readonly span: Span;
  /** Calls `fn` with this span active. */
  run<T>(fn: () => T): T;
}

/** Starts a span that the caller must `end()`. Prefer `withSpan` if one function covers the whole span. */
export function openSpan(name: string, options: SpanOptions): OpenSpan {
  const parent = parentContext(options.parent);
  const span = tracer.startSpan(name, apiOptions(options), parent);
  const inside = trace.setSpan(parent, span);
  return { span, run: (fn) => context.with(inside, fn) };
}
