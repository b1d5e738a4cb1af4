import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Spooled } from '@spooled/sdk';
import { type Current, findByName, type Kind, type KindName, kinds, removeIfThere } from './kinds.js';
import { isObject, type Manifest, type Wanted } from './manifest.js';

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
  /** Does it. @returns with the id of what it has created */
  run: () => Promise<{ id?: string }>;
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
  const run = async () => {
    await removeIfThere(client, kind, current, call);
    return {};
  };
  return { action: 'delete', kind, name, members: [], run };
}

function changeTo(
  client: Spooled,
  wanted: Wanted,
  current: Current | undefined,
  options: PlanOptions,
): Change | undefined {
  const { kind, name, members, written } = wanted;
  const of = kinds[kind];
  const { call, secrets } = options;
  if (!current) {
    const all = Object.entries(written).map(([member, to]) => ({ member, from: undefined, to: shown(of, member, to) }));
    return { action: 'create', kind, name, members: all, run: () => of.create(client, name, members, call) };
  }
  const changes = differences(of, { members, written }, current.members, secrets);
  if (changes.length === 0) return undefined;
  // Nothing that the plan does not show, such as a secret that was changed elsewhere.
  const body = bodyOf(changes);
  return {
    action: 'change',
    kind,
    name,
    members: changes.map(memberChange),
    run: async () => {
      await of.change(client, current, body, call);
      return {};
    },
  };
}

/** A member that differs: its names from the outside in, and its value. */
interface Difference {
  path: string[];
  from: unknown;
  /** As it is shown. */
  to: unknown;
  value: unknown;
}

const memberChange = ({ path, from, to }: Difference): MemberChange => ({ member: path.join('.'), from, to });

/** Of `settings` each one counts: others of the queue stay. */
function differences(
  of: Kind,
  { members, written }: Pick<Wanted, 'members' | 'written'>,
  current: Record<string, unknown>,
  secrets: boolean,
): Difference[] {
  // The server forgets headers with the URL that they were given for.
  const hasNewUrl = members.callback_url !== undefined && !isSame('', members.callback_url, current.callback_url);
  return Object.entries(members).flatMap(([member, value]): Difference[] => {
    const text = written[member];
    if (member === 'settings' && isObject(value) && isObject(text)) {
      const settings = isObject(current.settings) ? current.settings : {};
      const inner = differences(of, { members: value, written: text }, settings, secrets);
      return inner.map((each) => ({ ...each, path: [member, ...each.path] }));
    }
    const isSecret = of.secret.includes(member);
    const isSent = secrets || (hasNewUrl && member.startsWith('callback_'));
    if (isSecret ? !isSent : isSame(member, value, current[member])) return [];
    // What comes from a variable may be secret, and so may be what it was before.
    const isFromVariable = !isDeepStrictEqual(text, value);
    const from = isSecret ? undefined : isFromVariable ? '(not shown)' : current[member];
    return [{ path: [member], from, to: shown(of, member, text), value }];
  });
}

/** What is sent to make these changes. */
function bodyOf(changes: Difference[]): Record<string, unknown> {
  const settings = changes.filter(({ path }) => path.length > 1);
  return {
    ...Object.fromEntries(changes.filter(({ path }) => path.length === 1).map(({ path, value }) => [path[0], value])),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings.map(({ path, value }) => [path[1], value])) }),
  };
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
