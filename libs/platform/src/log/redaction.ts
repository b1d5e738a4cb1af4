import { isSecretName } from '@spooled/domain';

const hidden = '[redacted]';

// "authorization":"Bearer …" at any depth of the line. Numbers stay, because they count secrets: "token_count":3.
const memberStart = /"([^"\\]{1,100})":(?=["[{])/g;
// What changes the depth, and whole strings, which may contain brackets.
const valueParts = /"(?:[^"\\]|\\.)*"|[[\]{}]/g;
// /ws?token=… and /events?api_key=… in any URL
const queryMember = /([?&]([^=?&\s"'#\\]{1,100})=)[^&\s"'#\\]+/g;
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

/** The position after the text, list or object that begins at a position of a line. */
function endOfValue(line: string, start: number): number {
  let depth = 0;
  valueParts.lastIndex = start;
  for (let part = valueParts.exec(line); part; part = valueParts.exec(line)) {
    if ('[{'.includes(part[0])) depth += 1;
    else if (']}'.includes(part[0])) depth -= 1;
    if (depth === 0) return valueParts.lastIndex;
  }
  return line.length;
}

function hideMembers(line: string): string {
  let shown = '';
  let end = 0;
  memberStart.lastIndex = 0;
  for (let member = memberStart.exec(line); member; member = memberStart.exec(line)) {
    if (!isSecretName(member[1]!)) continue;
    shown += `${line.slice(end, memberStart.lastIndex)}"${hidden}"`;
    end = endOfValue(line, memberStart.lastIndex);
    memberStart.lastIndex = end;
  }
  return shown + line.slice(end);
}

const hideQueryMember = (text: string, start: string, name: string): string =>
  isSecretName(name) ? start + hidden : text;

/**
 * Redacts credentials in a log line: members and query parameters with secret names, passwords in URLs, bearer tokens, keys and
 * tokens of the product, and secrets of this process. It works on the text, so it also covers URLs in messages and stacks, which
 * pino's path redaction does not.
 */
export const redact = (line: string): string =>
  hideMembers(hideTokens(hideOwn(line)))
    .replace(queryMember, hideQueryMember)
    .replace(secretUserInfo, `$1:${hidden}@`)
    .replace(bearer, `$1${hidden}`)
    .replace(credential, hidden);
