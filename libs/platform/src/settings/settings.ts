import type { z } from 'zod';
import { hideInLogs } from '../log/redaction.js';
import { defaultOf, kindOf } from './kinds.js';

export interface Setting<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly doc: string;
  /** The declaration that this one takes everything from but the default. */
  readonly base?: Setting;
  /** A variable that is read if the setting's own is unset. */
  readonly alias?: string;
}

/** Settings by the name of their environment variable; a name that ends with `*` stands for all that begin alike (`variables`). */
export type Declarations = Readonly<Record<string, Setting>>;

/** The values that `readSettings` returns for declarations. */
export type SettingsOf<D extends Declarations> = Readonly<{ [K in keyof D]: z.output<D[K]['schema']> }>;

export interface SettingProblem {
  name: string;
  reason: string;
}

export interface SettingRow {
  name: string;
  type: string;
  /** null = required; '' = optional without default. */
  default: string | null;
  doc: string;
}

/** All invalid settings by name. The message is for operators and contains no secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly SettingProblem[]) {
    super(['Wrong settings:', ...problems.map(({ name, reason }) => `  ${name}: ${reason}`)].join('\n'));
  }
}

/**
 * Declares a setting: the schema parses the environment variable, `doc` is its line in the documentation. Declare each setting once and
 * share the constant.
 */
export const setting = <S extends z.ZodType>(schema: S, doc: string): Setting<S> => ({ schema, doc });

/** The same setting, which another variable sets as well. */
export const alsoNamed = <S extends z.ZodType>(alias: string, { schema, doc }: Setting<S>): Setting<S> => ({
  schema,
  doc: `${doc} \`${alias}\` is read if it is unset.`,
  alias,
});

/** The same setting with another default, for one service. */
export const withDefault = <S extends z.ZodType>(
  base: Setting<z.ZodDefault<S>>,
  value: z.output<S>,
): Setting<z.ZodDefault<S>> => ({
  schema: base.schema.unwrap().default(value as never) as unknown as z.ZodDefault<S>,
  doc: base.doc,
  base,
});

type Environment = Readonly<Record<string, string | undefined>>;
type Given = string | Record<string, string> | undefined;

/** What the environment gives for a declaration: a text, or the variables of a name that ends with `*`. */
function givenFor(name: string, env: Environment): Given {
  const textOf = (variable: string) => env[variable]?.trim() || undefined;
  if (!name.endsWith('*')) return textOf(name);
  const found = Object.keys(env).filter((variable) => variable.startsWith(name.slice(0, -1)));
  const texts = found.flatMap((variable) => {
    const text = textOf(variable);
    return text === undefined ? [] : [[variable, text] as const];
  });
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function explain(schema: z.ZodType, text: Given, error: z.ZodError): string {
  if (text === undefined) return 'is required';
  const reasons = [...new Set(error.issues.map((issue) => issue.message))].join('; ');
  return kindOf(schema).shown ? `${reasons} (got ${JSON.stringify(text)})` : reasons;
}

function keptOutOfLogs(schema: z.ZodType, value: unknown): unknown {
  if (typeof value === 'string' && kindOf(schema).type === 'secret') hideInLogs(value);
  return value;
}

/**
 * Reads and checks all declared settings; an empty variable counts as unset.
 * @throws SettingsError with all invalid settings, so that they can be corrected at once
 */
export function readSettings<D extends Declarations>(declarations: D, env: Environment = process.env): SettingsOf<D> {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const [name, { schema, alias }] of Object.entries(declarations)) {
    const given = givenFor(name, env) ?? (alias === undefined ? undefined : givenFor(alias, env));
    const read = schema.safeParse(given);
    if (read.success) values[name] = keptOutOfLogs(schema, read.data);
    else problems.push({ name, reason: explain(schema, given, read.error) });
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(values) as SettingsOf<D>;
}

/** One row per setting, in order of declaration; the source of docs/configuration.md. */
export const describeSettings = (declarations: Declarations): SettingRow[] =>
  Object.entries(declarations).map(([name, { schema, doc }]) => ({
    name,
    type: kindOf(schema).type,
    default: defaultOf(schema),
    doc,
  }));
