import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { within } from '../lifecycle/within.js';

/** Declaration of a metric. Labels must have few values. */
export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram, in the unit of the metric's name. */
  readonly buckets?: readonly number[];
}

export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>;

type LabelsOf<M extends MetricDeclaration> = M['labels'] extends readonly (infer L extends string)[] ? L : never;
type MetricOf<M extends MetricDeclaration> = M['type'] extends 'counter'
  ? Counter<LabelsOf<M>>
  : M['type'] extends 'gauge'
    ? Gauge<LabelsOf<M>>
    : Histogram<LabelsOf<M>>;

type GaugeKeys<D extends MetricDeclarations> = {
  [K in keyof D]: D[K]['type'] extends 'gauge' ? K : never;
}[keyof D];

/** The metrics of a process, for a scrape. */
export interface Scrape {
  readonly registry: Registry;
  /** The Content-Type of `text()`. */
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** The declared metrics by key, and their scrape. */
export type Metrics<D extends MetricDeclarations> = Scrape & { readonly [K in keyof D]: MetricOf<D[K]> } & {
  /**
   * Runs `set` at each scrape to update a gauge; at most 3 s. If it fails, the gauge is omitted from this scrape, because a stale value
   * would mislead, and the failure is reported once per scrape.
   */
  onScrape<K extends GaugeKeys<D>>(key: K, set: (gauge: MetricOf<D[K]>) => void | Promise<void>): void;
};

/** Longer than a health check, so that a dependency that hangs is reported as down instead of omitted. */
const scrapeLimitMs = 3_000;
/** Sampling interval of the event loop delay. The default of 10 ms was the main load of an idle process. */
const eventLoopSampleMs = 100;

function build({ type, name, help, labels = [], buckets }: MetricDeclaration, registry: Registry) {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(common);
  if (type === 'histogram') return new Histogram({ ...common, ...(buckets && { buckets: [...buckets] }) });
  return blank(new Gauge(common), labels);
}

/** Omits gauges without a value: a default of 0 would distort sums and minima over processes. */
function blank(gauge: Gauge, labels: readonly string[] = []): Gauge {
  gauge.reset();
  if (labels.length === 0) gauge.remove();
  return gauge;
}

/**
 * Creates the declared metrics and the usual process metrics (CPU, memory, event loop) in a new registry. `onError` is called for
 * gauges that could not be updated.
 */
export function createMetrics<D extends MetricDeclarations>(
  declarations: D,
  { onError = () => {} }: { onError?: (metric: string, error: unknown) => void } = {},
): Metrics<D> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const metrics = Object.fromEntries(Object.entries(declarations).map(([key, one]) => [key, build(one, registry)]));
  const onScrape = (key: string, set: (gauge: Gauge) => void | Promise<void>) => {
    const gauge = metrics[key] as Gauge & { collect?: () => Promise<void> };
    gauge.collect = () =>
      within(scrapeLimitMs, async () => set(gauge)).catch((error: unknown) => {
        blank(gauge, declarations[key]?.labels);
        onError(declarations[key]?.name ?? key, error);
      });
  };
  const text = () => registry.metrics();
  return { ...metrics, registry, contentType: registry.contentType, text, onScrape } as unknown as Metrics<D>;
}
