import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: string;
  env?: { name: string; value?: string; valueFrom?: Record<string, KeyReference> }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  readinessProbe?: object;
  livenessProbe?: object;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: { allowPrivilegeEscalation?: boolean };
}

interface KeyReference {
  name: string;
  key: string;
  optional?: boolean;
}

export interface PodSpec {
  containers: Container[];
  securityContext?: { runAsNonRoot?: boolean };
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  volumes?: { name: string; configMap?: { name: string } }[];
  topologySpreadConstraints?: object[];
}

/** The parts of a manifest that these tests read; which of them exist depends on the kind. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas?: number;
    selector: Record<string, string>;
    ports: { name: string; targetPort: string }[];
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    tls?: { hosts: string[] }[];
    rules: { host: string; http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
}

/** Throws without `kubectl`: manifests that nothing has rendered are not tested. */
const kustomize = (folder: string): Manifest[] =>
  read(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 1e7 }));

const rendered = new Map<string, Manifest[]>();

/**
 * All objects of an overlay, as `kubectl apply -k` would send them; with components, as an operator adds them to it. Each is rendered once
 * for all specs of a process, which must not change it.
 */
export function render(overlay: string, components: string[] = []): Manifest[] {
  const name = [overlay, ...components].join();
  const manifests = rendered.get(name) ?? renderWith(overlay, components);
  rendered.set(name, manifests);
  return manifests;
}

function renderWith(overlay: string, components: string[]): Manifest[] {
  if (components.length === 0) return kustomize(join(import.meta.dirname, 'overlays', overlay));
  const lines = ['components:', ...components.map((name) => `  - ../../components/${name}`), ''];
  return renderEdited(overlay, (folder) => appendFileSync(join(folder, 'kustomization.yaml'), lines.join('\n')));
}

/** All objects of a copy of an overlay, which `edit` changes first. */
export function renderEdited(overlay: string, edit: (folder: string) => void): Manifest[] {
  // Outside of this folder, which other specs read.
  const copy = mkdtempSync(join(tmpdir(), 'spooled-kubernetes-'));
  try {
    for (const part of ['kubernetes', 'pgbouncer', 'postgres']) {
      cpSync(join(import.meta.dirname, '..', part), join(copy, part), { recursive: true });
    }
    const folder = join(copy, 'kubernetes/overlays', overlay);
    edit(folder);
    return kustomize(folder);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The secrets that an operator creates in production. */
export const exampleSecrets = (): Manifest[] =>
  read(readFileSync(join(import.meta.dirname, 'overlays/production/secrets.example.yaml'), 'utf8'));

const read = (text: string): Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest);

const running = new Set(['Deployment', 'StatefulSet', 'Job']);

export const workloads = (manifests: Manifest[]): Manifest[] => manifests.filter(({ kind }) => running.has(kind));

export const containersOf = (workload: Manifest): Container[] => workload.spec.template.spec.containers;

/** Keys of ConfigMaps or Secrets by `kind/name`. */
export function keysByObject(manifests: Manifest[]): Map<string, Set<string>> {
  const holders = manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret');
  return new Map(
    holders.map(({ kind, metadata, data, stringData }) => [
      `${kind}/${metadata.name}`,
      new Set(Object.keys({ ...data, ...stringData })),
    ]),
  );
}

/** Every key that a container references, as `kind/name`, key; optional ones are left out. */
export function referencesOf(container: Container): { object: string; key?: string }[] {
  const single = (container.env ?? []).flatMap(({ valueFrom = {} }) =>
    Object.entries(valueFrom)
      .filter(([, { optional }]) => !optional)
      .map(([kind, { name, key }]) => ({ object: `${kind === 'secretKeyRef' ? 'Secret' : 'ConfigMap'}/${name}`, key })),
  );
  const whole = (container.envFrom ?? []).map(({ configMapRef, secretRef }) => ({
    object: configMapRef ? `ConfigMap/${configMapRef.name}` : `Secret/${secretRef?.name}`,
  }));
  return [...single, ...whole];
}

/** Environment variables of a container, including those of its ConfigMaps and Secrets. */
export function environmentOf(container: Container, manifests: Manifest[]): string[] {
  const keys = keysByObject(manifests);
  const whole = referencesOf(container).filter(({ key }) => key === undefined);
  return [
    ...(container.env ?? []).map(({ name }) => name),
    ...whole.flatMap(({ object }) => [...(keys.get(object) ?? [])]),
  ];
}
