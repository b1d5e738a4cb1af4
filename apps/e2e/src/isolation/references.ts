import { randomUUID } from 'node:crypto';
import { places, sampleOf } from '../body-samples.js';
import { bodyOf, type DescribedRoute, type Schema } from '../api-description.js';
import type { Victim } from './findings.js';

/** Members that name something of an organization, with what they name. */
const references: Record<string, (victim: Victim) => unknown> = {
  queue_name: ({ name }) => name,
  queue: ({ name }) => name,
  queues: ({ name }) => [name],
  to_queue: ({ name }) => name,
  worker_id: ({ name }) => name,
  idempotency_key: ({ name }) => name,
  job_id: ({ ids }) => ids.jobs![0],
  job_ids: ({ ids }) => ids.jobs,
  ids: ({ ids }) => ids.jobs!.join(),
  parent_job_id: ({ ids }) => ids.jobs![2],
  depends_on: ({ ids }) => [ids.jobs![2]],
  depends_on_job_ids: ({ ids }) => [ids.jobs![2]],
  dependency_job_ids: ({ ids }) => [ids.jobs![2]],
  from_job: ({ ids }) => ids.jobs![0],
  target_id: ({ ids }) => ids.jobs![0],
  actor_id: ({ ids }) => ids.keys![0],
  api_key_id: ({ ids }) => ids.keys![0],
  lease_id: ({ ids }) => ids.leases![0],
  cause_id: ({ ids }) => ids.causes![0],
  group_id: ({ ids }) => ids.groups![0],
  organization: ({ organizationId }) => organizationId,
  organization_id: ({ organizationId }) => organizationId,
  q: ({ name }) => name,
  search: ({ name }) => name,
  tag: ({ name }) => `secret:${name}`,
};

/** Names that look like references and are none: secrets, ids at another service, and positions in lists, which `cursors` sends. */
const others = [
  'admin_key',
  'after',
  'api_key',
  'cursor',
  'id',
  'key',
  'refresh_token',
  'stripe_customer_id',
  'stripe_subscription_id',
  'worker_type',
];
const looksLikeReference = (name: string): boolean =>
  /(^|_)(ids?|key|queues?|worker|group|organization|cursor)($|_)/.test(name);

/** What each name of the victim is compared with: names of the same form that nobody has. */
export class Twins {
  private readonly known = new Map<string, string>();

  constructor(private readonly victim: Victim) {
    this.known.set(victim.name, `twin-${victim.name.slice(5)}`);
    for (const id of [victim.organizationId, ...Object.values(victim.ids).flat()])
      if (id !== victim.name) this.known.set(id, randomUUID());
  }

  /** The same with the names of nobody. */
  of(text: string): string {
    return [...this.known].reduce((changed, [own, twin]) => changed.replaceAll(own, twin), text);
  }

  /** Both sides without names, ids, times and numbers: what is left must be equal. */
  normalized(text: string): string {
    return [...this.known]
      .reduce((changed, [own, twin]) => changed.replaceAll(own, '<name>').replaceAll(twin, '<name>'), text)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
      .replaceAll(/[\w-]{20,}/g, '<secret>')
      .replaceAll(/-?\d+(\.\d+)?/g, '<n>');
  }
}

/** A body in which every reference names something of the victim. @throws Error for a name that this generator does not know */
export function bodyNaming(victim: Victim, { method, path, operation }: DescribedRoute): unknown {
  const schema = bodyOf(operation);
  if (!schema) return ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
  for (const { field } of places(schema))
    requireKnown(field.split('.').at(-1)!.replace('[0]', ''), `${method} ${path}`);
  return withReferences(sampleOf(schema), schema, victim);
}

/** @throws Error for a name that looks like a reference and is not known */
export function requireKnown(name: string, where: string): void {
  if (looksLikeReference(name) && !(name in references) && !others.includes(name))
    throw new Error(`references.ts does not know what ${name} of ${where} names`);
}

export const referenceTo = (name: string, victim: Victim): unknown => references[name]?.(victim);

function withReferences(sample: unknown, schema: Schema, victim: Victim): unknown {
  const own = new Map(places(schema).map(({ field, schema: of }) => [field, of]));
  const fill = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item, `${path}[0]`));
    if (value === null || typeof value !== 'object') return value;
    const prefix = path === '' ? '' : `${path}.`;
    const members = [...own.keys()].filter(
      (field) => field.startsWith(prefix) && !/[.[]/.test(field.slice(prefix.length)),
    );
    const named = members
      .map((field) => [field.slice(prefix.length), own.get(field)!] as const)
      .filter(([name]) => name in references);
    return {
      ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, prefix + name)])),
      ...Object.fromEntries(named.map(([name, { type }]) => [name, fitting(references[name]!(victim), type)])),
    };
  };
  return fill(sample, '');
}

/** Some members take one id in one body and several in another. */
const fitting = (value: unknown, type: string | undefined): unknown =>
  type === 'array' ? [value].flat() : Array.isArray(value) ? value[0] : value;
