const hidden = '[redacted]';

const secretNames = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-admin-key',
  'x-webhook-token',
  'api_?key',
  'admin_?(?:api_?)?key',
  'password',
  'token',
  '(?:access|refresh|webhook|metrics)_?token',
  '(?:[a-z]+_)?secret',
].join('|');

// "authorization":"Bearer …" at any depth of the line, and the same name with a list of strings
const secretMember = new RegExp(
  `"(${secretNames})":(?:"(?:[^"\\\\]|\\\\.)*"|\\[(?:"(?:[^"\\\\]|\\\\.)*",?)*\\])`,
  'gi',
);
// /ws?token=… and /events?api_key=… in any URL
const secretQuery = /([?&](?:token|api_?key|access_token)=)[^&\s"'#\\]+/gi;
// postgresql://user:password@host
const secretUserInfo = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^:/?#\s"@]*):[^/?#\s"]+@/gi;
const bearer = /\b(Bearer\s+)[\w~+/.=-]+/g;

// API keys and webhook tokens anywhere, such as in a path or another parameter
const credential = /s[kp]_(?:live|test)_[\w-]{16,}|whk_[\w-]{16,}/g;
// Access tokens anywhere. Only the first `eyJ` of a word is looked at, which the lookahead finds once and for all: with a try at each,
// a path of 16 KB of them took 0.1 s.
const token = /(?<![\w-])(?=([\w-]*?)eyJ)\1eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g;

const shortestSecret = 8;
const secrets = new Set<string>();
let ownSecrets: RegExp | null = null;

/** Redacts a secret of the process, such as the administrator's key, in all following lines. */
export function hideInLogs(value: string): void {
  // Shorter values would redact ordinary words.
  if (value.length < shortestSecret) return;
  for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) secrets.add(text);
  const escaped = [...secrets].map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  ownSecrets = new RegExp(escaped.join('|'), 'g');
}

const hideTokens = (line: string): string => (line.includes('eyJ') ? line.replace(token, `$1${hidden}`) : line);

const hideOwn = (line: string): string => (ownSecrets ? line.replace(ownSecrets, hidden) : line);

/**
 * Redacts credentials in a log line: members by name, query parameters, passwords in URLs, bearer tokens, keys and tokens of the
 * product, and secrets of this process. It works on the text, so it also covers URLs in messages and stacks, which pino's path
 * redaction does not.
 */
export const redact = (line: string): string =>
  hideTokens(hideOwn(line))
    .replace(secretMember, `"$1":"${hidden}"`)
    .replace(secretQuery, `$1${hidden}`)
    .replace(secretUserInfo, `$1:${hidden}@`)
    .replace(bearer, `$1${hidden}`)
    .replace(credential, hidden);
