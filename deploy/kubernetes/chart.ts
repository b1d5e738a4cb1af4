import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const chart = join(import.meta.dirname, '../helm/spooled');

/** An object of Kubernetes; which members exist depends on the kind. */
export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- The specs read many kinds.
  spec?: any;
}

/** Runs helm. @throws Error with its message; without helm: a chart that nothing has rendered is not tested */
function helm(args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('helm', args, { encoding: 'utf8', maxBuffer: 1e7 });
  if (error) {
    const remedy = 'install Helm 3.14 or newer, or run go install helm.sh/helm/v3/cmd/helm@v3.22.0';
    throw new Error(`helm does not start (${error.message}): ${remedy}`, { cause: error });
  }
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const rendered = new Map<string, KubernetesObject[]>();

/**
 * All objects that `helm install` would create of the chart with these values, and those of the named examples before them. The same values
 * are rendered once for all specs of a process, which must not change the objects.
 */
export function renderChart(values: object = {}, ...examples: string[]): KubernetesObject[] {
  const name = JSON.stringify([values, examples]);
  const objects = rendered.get(name) ?? template(values, examples);
  rendered.set(name, objects);
  return objects;
}

function template(values: object, examples: string[]): KubernetesObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-chart-'));
  try {
    const own = join(folder, 'values.yaml');
    writeFileSync(own, JSON.stringify(values));
    const files = [...examples.map((name) => join(chart, 'examples', `${name}.yaml`)), own];
    const text = helm([
      ...['template', 'spooled', chart, '--namespace', 'spooled', '--kube-version', '1.30.0'],
      ...files.flatMap((file) => ['--values', file]),
    ]);
    return parseAllDocuments(text).flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
