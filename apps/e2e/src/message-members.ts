import { z } from 'zod';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
}

/** The paths of all members of a message that hold a value. */
export function membersOf(schema: z.ZodType): string[][] {
  const paths = (part: JsonSchema, path: string[]): string[][] => {
    const forms = [part, ...(part.anyOf ?? [])];
    const members = forms.flatMap(({ properties }) => Object.entries(properties ?? {}));
    return members.length === 0 ? [path] : members.flatMap(([name, member]) => paths(member, [...path, name]));
  };
  return paths(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, []);
}

export const nested = (path: string[], value: unknown): object =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value) as object;
