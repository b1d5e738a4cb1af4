import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Spooled } from '@spooled/sdk';
import { type Current, findByName, type Kind, type KindName, kinds } from './kinds.js';
import type { Manifest, Wanted } from './manifest.js';

export interface MemberChange {
  member: string;
  from: unknown;
  to: unknown;
}

export interface Change {
  action: 'create' | 'change' | 'delete';
  kind: KindName;
  name: string;
  members: MemberChange[];
  /** Does it. */
  run: () => Promise<unknown>;
}

export interface Plan {
  changes: Change[];
  unchanged: number;
}

export interface PlanOptions {
  /** Delete what the files do not have, of the sections that they have. */
  prune: boolean;
  /** Send secrets again, which cannot be compared. */
  secrets: boolean;
  call: CallOptions;
}

/** What has to change so that the server has what the files want. Members that a file does not name stay as they are. */
export async function makePlan(client: Spooled, manifest: Manifest, options: PlanOptions): Promise<Plan> {
  const plan: Plan = { changes: [], unchanged: 0 };
  const removals: Change[] = [];
  for (const name of Object.keys(kinds) as KindName[]) {
    if (!manifest.sections.has(name)) continue;
    const wanted = manifest.wanted.filter(({ kind }) => kind === name);
    const names = wanted.map((each) => each.name);
    const current = await kinds[name].list(client, names, options.call);
    for (const each of wanted) {
      const change = changeTo(client, each, findByName(name, current, each.name), options);
      if (change) plan.changes.push(change);
      else plan.unchanged++;
    }
    if (options.prune)
      removals.unshift(
        ...current.filter((each) => !names.includes(each.name)).map((each) => removal(client, name, each, options)),
      );
  }
  // Schedules go before the queues that they use.
  plan.changes.push(...removals);
  return plan;
}

function removal(client: Spooled, kind: KindName, current: Current, { call }: PlanOptions): Change {
  const { name } = current;
  return { action: 'delete', kind, name, members: [], run: () => kinds[kind].remove(client, current, call) };
}

function changeTo(
  client: Spooled,
  wanted: Wanted,
  current: Current | undefined,
  options: PlanOptions,
): Change | undefined {
  const { kind, name, members } = wanted;
  const of = kinds[kind];
  const { call, secrets } = options;
  if (!current) {
    const all = Object.entries(members).map(([member, to]) => ({ member, from: undefined, to: shown(of, member, to) }));
    return { action: 'create', kind, name, members: all, run: () => of.create(client, name, members, call) };
  }
  const changes = differences(of, members, current.members, secrets);
  if (changes.length === 0) return undefined;
  return { action: 'change', kind, name, members: changes, run: () => of.change(client, current, members, call) };
}

/** Of `settings` each one counts: others of the queue stay. */
function differences(
  of: Kind,
  wanted: Record<string, unknown>,
  current: Record<string, unknown>,
  secrets: boolean,
): MemberChange[] {
  return Object.entries(wanted).flatMap(([member, to]) => {
    if (member === 'settings' && isObject(to)) {
      const settings = isObject(current.settings) ? current.settings : {};
      return differences(of, to, settings, secrets).map((change) => ({
        ...change,
        member: `settings.${change.member}`,
      }));
    }
    const isSecret = of.secret.includes(member);
    if (isSecret ? !secrets : isSame(member, to, current[member])) return [];
    const from = isSecret ? undefined : current[member];
    return [{ member, from, to: shown(of, member, to) }];
  });
}

const isSame = (member: string, to: unknown, from: unknown): boolean =>
  member === 'events' && Array.isArray(to) && Array.isArray(from)
    ? isDeepStrictEqual(to.toSorted(), from.toSorted())
    : isDeepStrictEqual(to ?? null, from ?? null);

/** Never a secret. */
function shown(of: Kind, member: string, value: unknown): unknown {
  if (of.secret.includes(member)) return '(secret)';
  if (member !== 'settings' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(of, name, each)]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
