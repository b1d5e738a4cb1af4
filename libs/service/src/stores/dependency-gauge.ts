import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics, ServiceContext } from '@spooled/platform';

/** Exports the health checks of this process as `spooled_dependency_up`, also of services without probes. */
export function exportDependencies({ metrics, health }: ServiceContext<unknown, Metrics<ProductMetrics>>): void {
  metrics.onScrape('dependencyUp', async (gauge) => {
    const { checks } = await health.report();
    for (const [dependency, up] of Object.entries(checks)) gauge.set({ dependency }, up ? 1 : 0);
  });
}
