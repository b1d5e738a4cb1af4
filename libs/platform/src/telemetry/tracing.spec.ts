import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { createLogger } from '../log/logger.js';
import { currentTraceparent, openSpan, recordSpan, withSpan } from './spans.js';
import { startTelemetry, type Telemetry } from './tracing-sdk.js';

describe('without a collector', () => {
  it('runs the function without tracing', async () => {
    await startTelemetry({ serviceName: 'test' });
    const seen = await withSpan('work', {}, async (span) => ({
      recording: span.isRecording(),
      at: currentTraceparent(),
    }));
    expect(seen).toEqual({ recording: false, at: null });
    expect(recordSpan('wait', { startTime: 1, endTime: 2 })).toBeNull();
  });
});

describe('after a shutdown', () => {
  it('no span is recorded until the next start', async () => {
    for (const name of ['first', 'second']) {
      const exporter = new InMemorySpanExporter();
      const spanProcessors = [new SimpleSpanProcessor({ exporter })];
      const telemetry = await startTelemetry({ serviceName: 'test', spanProcessors });
      await withSpan(name, {}, async () => {});
      expect(exporter.getFinishedSpans().map((span) => span.name)).toEqual([name]);
      await telemetry.shutdown();
      expect(await withSpan('late', {}, async (span) => span.isRecording())).toBe(false);
    }
  });
});

describe('with an exporter', () => {
  const exporter = new InMemorySpanExporter();
  let telemetry: Telemetry;
  beforeAll(async () => {
    telemetry = await startTelemetry({ serviceName: 'test', spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  });
  afterEach(() => exporter.reset());
  afterAll(() => telemetry.shutdown());

  const named = (name: string): ReadableSpan => {
    const span = exporter.getFinishedSpans().find((one) => one.name === name);
    if (!span) throw new Error(`no span ${name}`);
    return span;
  };

  it('BX-07 joins spans of several processes into one tree through the traceparent', async () => {
    const stored = await withSpan('request', { kind: 'server' }, async () => currentTraceparent());
    const waited = recordSpan('queue wait', { parent: stored, startTime: new Date(1_000), endTime: new Date(4_000) });
    await withSpan('attempt', { parent: waited, links: [stored, null], attributes: { attempt: 1 } }, async () => {});
    const [request, wait, attempt] = ['request', 'queue wait', 'attempt'].map(named);
    expect(wait?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(attempt?.parentSpanContext?.spanId).toBe(wait?.spanContext().spanId);
    expect(attempt?.spanContext().traceId).toBe(request?.spanContext().traceId);
    expect(attempt?.links.map(({ context }) => context.spanId)).toEqual([request?.spanContext().spanId]);
    expect(attempt?.attributes).toEqual({ attempt: 1 });
    expect(wait?.duration).toEqual([3, 0]);
  });

  it('marks a failed span and rethrows the error', async () => {
    const failing = withSpan('failing', {}, () => Promise.reject(new Error('no luck')));
    await expect(failing).rejects.toThrow('no luck');
    expect(named('failing').status).toEqual({ code: 2, message: 'no luck' });
  });

  it('keeps an open span active in callbacks, and starts a new trace if the parent is null', async () => {
    const open = openSpan('open', {});
    await open.run(() => withSpan('child', {}, async () => {}));
    await open.run(() => withSpan('unrelated', { parent: null }, async () => {}));
    open.span.end();
    expect(named('child').parentSpanContext?.spanId).toBe(named('open').spanContext().spanId);
    expect(named('unrelated').parentSpanContext).toBeUndefined();
  });

  it('SP-105 adds the ids of the active span to log lines', async () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
    await withSpan('logging', {}, async () => logger.info('inside'));
    const { traceId, spanId } = named('logging').spanContext();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ trace_id: traceId, span_id: spanId });
  });
});
