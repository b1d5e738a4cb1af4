/** Users' own documents: what is in them is passed on as it is. Wire names. */
const verbatim = new Set([
  'payload',
  'result',
  'metadata',
  'tags',
  'settings',
  'details',
  'extra',
  'payload_template',
  'custom_limits',
]);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Names as the wire has them: `queueName` becomes `queue_name`, at any depth outside users' own documents. */
export const toWire = (value: unknown): unknown => rename(value, snake, (name) => verbatim.has(snake(name)));

/** Names as JavaScript has them: `queue_name` becomes `queueName`, at any depth outside users' own documents. */
export const fromWire = (value: unknown): unknown => rename(value, camel, (name) => verbatim.has(name));

function rename(value: unknown, to: (name: string) => string, isOwn: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, to, isOwn));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [to(name), isOwn(name) ? item : rename(item, to, isOwn)]),
  );
}

/** Dates and other objects that know their own JSON are left to `JSON.stringify`. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
