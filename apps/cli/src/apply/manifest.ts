import { parse } from 'yaml';
import { UsageError } from '../errors.js';
import { type Kind, kinds, type KindName } from './kinds.js';

/** A resource as a file wants it, with the names of the API. */
export interface Wanted {
  kind: KindName;
  name: string;
  members: Record<string, unknown>;
}

export interface Manifest {
  wanted: Wanted[];
  /** Sections that the files have. Others are not theirs to prune. */
  sections: Set<KindName>;
}

/** Secrets stand in the environment, so that files can be kept in a repository. */
const fromEnvironment = /^\$\{([A-Z_][A-Z0-9_]*)\}$/;

/**
 * Reads files of queues, schedules and webhooks. `${NAME}` as the whole of a text is the variable of the environment.
 * @throws UsageError that names the file and the member
 */
export function readManifest(files: { name: string; text: string }[], env: NodeJS.ProcessEnv): Manifest {
  const manifest: Manifest = { wanted: [], sections: new Set() };
  for (const { name, text } of files) addFile(manifest, name, parseYaml(name, text), env);
  const seen = new Set<string>();
  for (const { kind, name } of manifest.wanted) {
    if (seen.has(`${kind} ${name}`)) throw new UsageError(`${kinds[kind].section}.${name} is there twice`);
    seen.add(`${kind} ${name}`);
  }
  return manifest;
}

function parseYaml(file: string, text: string): unknown {
  try {
    // Integers keep all their digits.
    return withoutSmallBigInts(parse(text, { intAsBigInt: true, prettyErrors: true }));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message.split('\n')[0]!.replace(/:$/, '')}`);
  }
}

function withoutSmallBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withoutSmallBigInts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSmallBigInts(each)]));
}

function addFile({ wanted, sections }: Manifest, file: string, content: unknown, env: NodeJS.ProcessEnv): void {
  if (!isObject(content)) throw new UsageError(`${file} has no queues, schedules or webhooks`);
  for (const [section, resources] of Object.entries(content)) {
    const kind = (Object.keys(kinds) as KindName[]).find((name) => kinds[name].section === section);
    if (!kind) throw new UsageError(`${file}: "${section}" is unknown; there are queues, schedules and webhooks`);
    sections.add(kind);
    if (resources !== null && !isObject(resources))
      throw new UsageError(`${file}: ${section} takes names with members`);
    for (const [name, members] of Object.entries(resources ?? {})) {
      const place = `${file}: ${section}.${name}`;
      wanted.push({ kind, name, members: membersOf(place, members ?? {}, kinds[kind], env) });
    }
  }
}

function membersOf(place: string, members: unknown, { members: known }: Kind, env: NodeJS.ProcessEnv) {
  if (!isObject(members)) throw new UsageError(`${place} takes members`);
  for (const name of Object.keys(members)) {
    if (!known.includes(name)) throw new UsageError(`${place}.${name} is unknown; there are ${known.join(', ')}`);
  }
  return resolved(place, members, env) as Record<string, unknown>;
}

function resolved(place: string, value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (Array.isArray(value)) return value.map((each, i) => resolved(`${place}.${i}`, each, env));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, resolved(`${place}.${name}`, each, env)]),
    );
  const variable = typeof value === 'string' ? fromEnvironment.exec(value)?.[1] : undefined;
  if (variable === undefined) return value;
  const text = env[variable];
  if (!text) throw new UsageError(`${place} needs the variable ${variable} of the environment`);
  return text;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
