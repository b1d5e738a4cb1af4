import { postgresProtocol } from '@spooled/domain';
import { z } from 'zod';

/** How the documentation describes a setting's value, and whether error messages may contain the value. */
interface Kind {
  type: string;
  shown: boolean;
}

const kinds = z.registry<Kind>();

const wrapped = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as { innerType?: z.ZodType }).innerType ?? undefined;

/** The kind of a setting, ignoring `.default()` and `.optional()`. Values of unknown kinds are never shown. */
export function kindOf(schema: z.ZodType): Kind {
  const known = kinds.get(schema);
  if (known) return known;
  if (schema instanceof z.ZodEnum) return { type: schema.options.join(' | '), shown: true };
  const inner = wrapped(schema);
  return inner ? kindOf(inner) : { type: 'text', shown: false };
}

/** The default as text; null = the setting is required; '' = optional without default. */
export function defaultOf(schema: z.ZodType): string | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return '';
  if (schema instanceof z.ZodDefault) return String(schema.def.defaultValue);
  const inner = wrapped(schema);
  return inner ? defaultOf(inner) : null;
}

/** A whole number between `min` and `max`, both included. */
export function integer({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}) {
  const bounds = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d+$/, bounds)
    .transform(Number)
    .pipe(z.number().min(min, bounds).max(max, bounds))
    .register(kinds, { type: 'integer', shown: true });
}

/** A TCP port; 0 lets the system choose a free one. */
export const port = () => integer({ min: 0, max: 65_535 }).register(kinds, { type: 'port', shown: true });

/** A fraction from 0 to 1. */
export const ratio = () =>
  z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 1')
    .transform(Number)
    .pipe(z.number().max(1, 'must be a number from 0 to 1'))
    .register(kinds, { type: 'number from 0 to 1', shown: true });

/** true/false, also 1/0, yes/no, on/off in any case. */
export const flag = () =>
  z.stringbool({ error: 'must be true or false' }).register(kinds, { type: 'true | false', shown: true });

/** An absolute URL. Its value is never shown, because URLs of stores carry passwords. */
export const url = (protocol?: RegExp) => z.url({ protocol }).register(kinds, { type: 'URL', shown: false });

/** The address of a PostgreSQL server. `localhost:5432` would be an absolute URL too, with the protocol `localhost`. */
export const postgresUrl = () =>
  z
    .url({ protocol: postgresProtocol, error: 'must be postgres://user:password@host:5432/database' })
    .register(kinds, { type: 'URL', shown: false });

/**
 * A text whose form `check` knows: it throws an Error with the reason when the text is wrong. Its value is never shown.
 * @param type how the documentation describes it
 */
export const checkedText = (type: string, check: (text: string) => unknown) =>
  z
    .string()
    .superRefine((text, context) => {
      try {
        check(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
      }
    })
    .register(kinds, { type, shown: false });

/** Items separated by commas; surrounding blanks and empty items are removed. */
export const commaList = <S extends z.ZodType<unknown, string>>(item: S) => listOf(item, ',', 'comma list');

/** As `commaList`, for items that may contain commas, such as distinguished names. */
export const semicolonList = <S extends z.ZodType<unknown, string>>(item: S) => listOf(item, ';', 'semicolon list');

const listOf = <S extends z.ZodType<unknown, string>>(item: S, separator: string, type: string) =>
  z
    .string()
    .transform((text) => text.split(separator).flatMap((part) => part.trim() || []))
    .pipe(z.array(item))
    .register(kinds, { type, shown: false });

/** A value that no message, log line or documentation may show. @param min minimum length in characters */
export const secret = ({ min = 1 } = {}) => z.string().min(min).register(kinds, { type: 'secret', shown: false });

/**
 * Variables that are read together, declared under a name that ends with `*`. Their values are never shown.
 * @param type how the documentation describes them
 * @param parse throws an Error that names the variable and what is wrong with it
 */
export const variables = <T>(type: string, parse: (values: Record<string, string>) => T) =>
  z
    .record(z.string(), z.string())
    .transform((values, context) => {
      try {
        return parse(values);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .register(kinds, { type, shown: false });
