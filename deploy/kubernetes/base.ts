import { Document, visit } from 'yaml';
import { type KubernetesObject, renderChart } from './chart.js';

/** Labels by which Helm knows its objects, and the one that Kustomize adds to all. */
const replacedLabels = /^(helm\.sh\/chart|app\.kubernetes\.io\/(instance|managed-by|part-of|version))$/;

/**
 * The files of the Kustomize base and its components, by their paths in this folder: the objects of the chart, without what an overlay
 * decides (namespace, images' tags, spread over nodes, the authority of PostgreSQL) and without ConfigMaps, because Kustomize appends
 * hashes to their names.
 */
export function filesOfBase(): Record<string, string> {
  const postgres = { host: 'of-the-overlay', tls: 'disable' };
  const all = renderChart({ postgres, console: { enabled: true }, monitoring: { enabled: true } });
  const files = Map.groupBy(all, fileOf);
  return Object.fromEntries([...files].flatMap(([file, objects]) => (file === null ? [] : [[file, textOf(objects)]])));
}

function fileOf({ kind, metadata }: KubernetesObject): string | null {
  if (kind === 'ConfigMap') return null;
  if (kind === 'ServiceMonitor' || kind === 'PrometheusRule') return 'components/monitoring/monitoring.yaml';
  return metadata.name.endsWith('console') ? 'components/console/console.yaml' : 'base/spooled.yaml';
}

function ofBase(rendered: KubernetesObject): KubernetesObject {
  const object = structuredClone(rendered);
  const { kind, metadata, spec } = object;
  const labels = Object.entries(metadata.labels ?? {}).filter(([name]) => !replacedLabels.test(name));
  // An overlay appends the tag of its image to the name of the Job.
  object.metadata = { name: kind === 'Job' ? 'migrate' : metadata.name, labels: Object.fromEntries(labels) };
  const template = spec?.template;
  if (!template) return object;
  delete template.metadata.annotations;
  delete template.spec.topologySpreadConstraints;
  for (const container of template.spec.containers) container.image = container.image.replace(/:[^:/]+$/, '');
  return object;
}

function textOf(objects: KubernetesObject[]): string {
  const documents = objects.map((object) => {
    const document = new Document(ofBase(object), { aliasDuplicateObjects: false });
    visit(document, {
      Collection(_key, node) {
        const text = JSON.stringify(node);
        // Kustomize does not read a question mark on a line of several members.
        node.flow = text.length <= 100 && !text.includes('?');
      },
    });
    return document.toString({ lineWidth: 0 });
  });
  return ['# Generated from deploy/helm/spooled by npm run generate:chart.\n', ...documents].join('---\n');
}
