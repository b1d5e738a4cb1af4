import { relative } from 'node:path';
import type { FirstOrganization } from './first-organization.js';
import { addressesOf, type LocalSettings } from './local-settings.js';

/** A path inside the checkout becomes relative to it. */
function fromHere(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') ? path : inside;
}

/**
 * Prints what a new user needs: addresses, the key, the data folder, how to stop.
 * @param console - address with a code that signs in once; null if the console is disabled
 */
export function printSummary(
  settings: LocalSettings,
  organization: FirstOrganization,
  { console, database, redis }: { console: string | null; database: string; redis: string },
): void {
  const { dataDir } = settings;
  const { baseUrl, grpcAddress, metricsUrl } = addressesOf(settings);
  const folder = fromHere(dataDir);
  const rows: [string, string][] = [
    ['Base URL', baseUrl],
    ...(console === null
      ? []
      : [['Console', `${console}  (signs in once, within 10 minutes)`] satisfies [string, string]]),
    ['gRPC', grpcAddress],
    ['Metrics', metricsUrl],
    ['API key', organization.apiKey],
    ['Organization', organization.organizationId],
    ['Admin key', `see ${folder}/secrets.json`],
    ['Database', database],
    ['Node.js', `${process.version.slice(1)}, ${fromHere(process.execPath)}`],
    ['Redis', redis === 'none' ? 'NONE: direct path, no live events, no outgoing webhooks' : redis],
    ['Data and logs', folder],
    ['Stop', 'Ctrl-C'],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`);
  process.stdout.write(`\nSpooled is ready.\n\n${lines.join('\n')}\n\n`);
}
