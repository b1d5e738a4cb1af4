/** API names of members that hold users' documents, whose content is not converted. */
export const verbatim: ReadonlySet<string> = new Set([
  'payload',
  'result',
  'metadata',
  'tags',
  'settings',
  'details',
  'fields',
  'extra',
  'payload_template',
  'custom_limits',
  'callback_headers',
  'response_headers',
  'payload_patch',
  'schema',
  'before',
  'after',
]);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Converts names to those of the API: `queueName` becomes `queue_name`, at any depth outside users' documents. */
export const toWire = (value: unknown): unknown => rename(value, snake, (name) => verbatim.has(snake(name)));

/** Converts names to those of JavaScript: `queue_name` becomes `queueName`, at any depth outside users' documents. */
export const fromWire = (value: unknown): unknown => rename(value, camel, (name) => verbatim.has(name));

function rename(value: unknown, to: (name: string) => string, isVerbatim: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, to, isVerbatim));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [to(name), isVerbatim(name) ? item : rename(item, to, isVerbatim)]),
  );
}

/** Dates and other objects with `toJSON` are left to `JSON.stringify`. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
