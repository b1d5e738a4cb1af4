import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { conditionSchemas, productMetrics } from '@spooled/contracts';
import type { MetricDeclarations } from '@spooled/platform';
import { parse } from 'yaml';
import { configOf, services } from '@spooled/testing';

interface Rule {
  alert: string;
  expr: string;
  labels?: { condition?: string };
  annotations: { summary?: string; action?: string };
}

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Names as Prometheus shows them: those of the product, and those that a service adds. */
async function metricNames(): Promise<Set<string>> {
  const added = await Promise.all(
    services.map(async (service) => (await configOf(service))[`${service}Metrics`] as MetricDeclarations | undefined),
  );
  return new Set([productMetrics, ...added].flatMap((metrics = {}) => Object.values(metrics).map(({ name }) => name)));
}

/** The metrics named in a text; histograms without the suffixes that Prometheus adds. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/\bspooled_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));

describe('SP-105 monitoring', () => {
  it.each(['alerts.yaml', 'dashboard.json', '../../docs/runbooks.md'])(
    '%s uses only metrics that exist',
    async (file) => {
      const known = await metricNames();
      expect(namedIn(read(file)).filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('shows every metric of the product on the dashboard', () => {
    const shown = new Set(namedIn(read('dashboard.json')));
    const names = Object.values(productMetrics).map(({ name }) => name);
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has the dashboard that dashboard.yaml describes', async () => {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'generate.mjs'), '--check']);
  });

  it('has a first step for every alert', () => {
    const { groups } = parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] };
    const silent = groups
      .flatMap(({ rules }) => rules)
      .filter(({ annotations }) => !annotations.summary || !annotations.action);
    expect(silent).toEqual([]);
  });

  it('BX-25 names the conditions that explanations and problems name', () => {
    const { groups } = parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] };
    const named = groups.flatMap(({ rules }) => rules).flatMap(({ labels }) => labels?.condition ?? []);
    expect(named).toContain('no_workers');
    expect(named.filter((code) => !conditionSchemas.conditionCode.safeParse(code).success)).toEqual([]);
  });
});
