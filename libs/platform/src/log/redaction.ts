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

// "authorization":"Bearer …" at any depth of the line, and the same name with a list of texts
const secretMember = new RegExp(
  `"(${secretNames})":(?:"(?:[^"\\\\]|\\\\.)*"|\\[(?:"(?:[^"\\\\]|\\\\.)*",?)*\\])`,
  'gi',
);
// /ws?token=… and /events?api_key=…, wherever a URL is mentioned
const secretQuery = /([?&](?:token|api_?key|access_token)=)[^&\s"'#\\]+/gi;
// postgresql://user:password@host
const secretUserInfo = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^:/?#\s"@]*):[^/?#\s"]+@/gi;
const bearer = /\b(Bearer\s+)[\w~+/.=-]+/g;

// API keys, webhook tokens and access tokens, wherever they stand: in a path, under a parameter with another name
const credential = /s[kp]_(?:live|test)_[\w-]{16,}|whk_[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g;

const shortestSecret = 8;
const secrets = new Set<string>();
let ownSecrets: RegExp | null = null;

/** Hides a value in every line from now on: the process's own secrets, such as the administrator's key. */
export function hideInLogs(value: string): void {
  // Shorter ones would hide ordinary words.
  if (value.length < shortestSecret) return;
  for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) secrets.add(text);
  const escaped = [...secrets].map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  ownSecrets = new RegExp(escaped.join('|'), 'g');
}

const hideOwn = (line: string): string => (ownSecrets ? line.replace(ownSecrets, hidden) : line);

/**
 * Hides credentials in one finished log line: members by name, query parameters, passwords in URLs, bearer tokens, and by their
 * values our own kinds of credentials and the secrets of this process.
 * It works on the text, so it also sees URLs inside messages and stacks; pino's path redaction sees neither those
 * nor members deeper than its paths.
 */
export const redact = (line: string): string =>
  hideOwn(line)
    .replace(secretMember, `"$1":"${hidden}"`)
    .replace(secretQuery, `$1${hidden}`)
    .replace(secretUserInfo, `$1:${hidden}@`)
    .replace(bearer, `$1${hidden}`)
    .replace(credential, hidden);
