import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
}

interface OtlpValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string | number;
}
interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'service' | 'attributes'> & { attributes?: OtlpAttribute[] })[] }[];
  }[];
}

/** An OTLP/HTTP collector that keeps spans in memory. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.add(JSON.parse(Buffer.concat(parts).toString()) as OtlpRequest);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  /** Resolves with the OTLP endpoint for the services. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
      });
    });
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** `service: name` of a span and of all its ancestors, root first. */
  pathTo(span: CollectedSpan): string[] {
    const parent = this.spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);
    return [...(parent ? this.pathTo(parent) : []), `${span.service}: ${span.name}`];
  }

  private add({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(flat(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, service, attributes: flat(span.attributes ?? []) });
      }
    }
  }
}

const flat = (attributes: OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? value.intValue]));
