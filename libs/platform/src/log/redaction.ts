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

/**
 * Hides credentials in one finished log line: members by name, query parameters, passwords in URLs, bearer tokens.
 * It works on the text, so it also sees URLs inside messages and stacks; pino's path redaction sees neither those
 * nor members deeper than its paths.
 */
export const redact = (line: string): string =>
  line
    .replace(secretMember, `"$1":"${hidden}"`)
    .replace(secretQuery, `$1${hidden}`)
    .replace(secretUserInfo, `$1:${hidden}@`)
    .replace(bearer, `$1${hidden}`);
