import { parseDocument } from 'yaml';
import { UsageError } from '../errors.js';
import { type Kind, kinds, type KindName } from './kinds.js';

/** A resource as a file wants it, with the names of the API. */
export interface Wanted {
  kind: KindName;
  name: string;
  members: Record<string, unknown>;
  /** The members as the file has them, with names of variables in place of their values, which may be secrets. */
  written: Record<string, unknown>;
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
 * @param prune what files do not have is deleted, so a section without a value is refused: it may be a mistake of a template
 * @throws UsageError that names the file and the member
 */
export function readManifest(
  files: { name: string; text: string }[],
  env: NodeJS.ProcessEnv,
  { prune }: { prune: boolean },
): Manifest {
  const manifest: Manifest = { wanted: [], sections: new Set() };
  for (const { name, text } of files) addFile(manifest, name, parseYaml(name, text), env, prune);
  const seen = new Set<string>();
  for (const { kind, name } of manifest.wanted) {
    if (seen.has(`${kind} ${name}`)) throw new UsageError(`${kinds[kind].section}.${name} is there twice`);
    seen.add(`${kind} ${name}`);
  }
  return manifest;
}

function parseYaml(file: string, text: string): unknown {
  try {
    // Integers keep all their digits, and names are as they are written: 007 is no 7.
    const document = parseDocument(text, { intAsBigInt: true, stringKeys: true });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem?.code === 'MULTIPLE_DOCS') throw new Error('it holds several documents, write each into a file');
    if (problem) throw problem;
    if (document.directives?.yaml.version !== '1.2') throw new Error('only YAML 1.2 is understood');
    return numbersOf(document.toJS());
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message.split('\n')[0]!.replace(/:$/, '')}`);
  }
}

/** Numbers as JSON has them: big ones are integers, and none is infinite or a negative zero. @throws Error */
function numbersOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('.nan and .inf are no numbers of JSON');
    return value + 0;
  }
  if (Array.isArray(value)) return value.map(numbersOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numbersOf(each)]));
}

function addFile(
  { wanted, sections }: Manifest,
  file: string,
  content: unknown,
  env: NodeJS.ProcessEnv,
  prune: boolean,
): void {
  if (!isObject(content)) throw new UsageError(`${file} has no queues, schedules or webhooks`);
  for (const [section, resources] of Object.entries(content)) {
    const kind = (Object.keys(kinds) as KindName[]).find((name) => kinds[name].section === section);
    if (!kind) throw new UsageError(`${file}: "${section}" is unknown; there are queues, schedules and webhooks`);
    sections.add(kind);
    if (resources !== null && !isObject(resources))
      throw new UsageError(`${file}: ${section} takes names with members`);
    if (resources === null && prune)
      throw new UsageError(`${file}: ${section} is empty, so --prune would delete all of them: write {} to mean that`);
    for (const [name, members] of Object.entries(resources ?? {})) {
      const place = `${file}: ${section}.${name}`;
      if (name.trim() === '') throw new UsageError(`${file}: ${section} holds an empty name`);
      const written = members ?? {};
      wanted.push({ kind, name, ...membersOf(place, written, kinds[kind], env) });
    }
  }
}

function membersOf(place: string, members: unknown, { members: known }: Kind, env: NodeJS.ProcessEnv) {
  if (!isObject(members)) throw new UsageError(`${place} takes members`);
  for (const name of Object.keys(members)) {
    if (!known.includes(name)) throw new UsageError(`${place}.${name} is unknown; there are ${known.join(', ')}`);
  }
  return { members: resolved(place, members, env) as Record<string, unknown>, written: members };
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
