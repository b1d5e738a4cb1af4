/** Members of a URL's query as texts; a repeated name becomes a list joined by commas. Links stay readable and can be written by hand. */
export function parseSearch(text: string): Record<string, string> {
  const params = new URLSearchParams(text);
  return Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name).join(',')]));
}

/** The reverse; absent and empty members are omitted. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value as string | number));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Reads a query: of each member, what its function makes of the text. Members that are left out are undefined. */
export const searchOf =
  <Members extends Record<string, (value: unknown) => unknown>>(members: Members) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(members).map(([name, read]) => [name, read(search[name])])) as {
      [Name in keyof Members]?: ReturnType<Members[Name]>;
    };

/** A member that has one of these values; undefined for any other. */
export const oneOf =
  <const T extends string>(values: readonly T[]) =>
  (value: unknown): T | undefined =>
    values.find((one) => one === value);

/** A member that is a time, as the API writes times. */
export function timeOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** A member that is a non-empty text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
