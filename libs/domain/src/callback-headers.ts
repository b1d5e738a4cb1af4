const maxHeaders = 20;
const maxNameLength = 64;
const maxValueLength = 1024;
/** Names and values together: less than the 8 KB of headers that common servers accept. */
const maxTotalLength = 4096;

export const callbackHeaderLimits = { maxHeaders, maxNameLength, maxValueLength };

/** The characters of RFC 9110 for a name. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII with inner spaces: anything else is read differently by different servers. */
const valuePattern = /^(?:[!-~](?:[ !-~]*[!-~])?)?$/;

/** Headers that frame the request, route it, prove who sends it, or are set by the sender itself. */
const reserved = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  'host',
  'forwarded',
  'via',
  'authorization',
  'cookie',
  'set-cookie',
  'www-authenticate',
  'content-type',
  'content-encoding',
  'user-agent',
  'traceparent',
  'tracestate',
  'http2-settings',
]);
const reservedPrefixes = ['x-spooled-', 'x-forwarded-', 'proxy-', 'sec-', ':'];

/** Why these may not be the headers of a callback, or null when they may. */
export function checkCallbackHeaders(headers: unknown): string | null {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return 'must be an object';
  let count = 0;
  // No copy of the names: a caller may send a hundred thousand.
  for (const _ in headers) if (++count > maxHeaders) return `must hold at most ${maxHeaders} headers`;
  const seen = new Set<string>();
  let length = 0;
  for (const [name, value] of Object.entries(headers)) {
    const problem = checkHeader(name, value, seen);
    if (problem) return problem;
    seen.add(name.toLowerCase());
    length += name.length + (value as string).length;
  }
  return length > maxTotalLength ? `must have at most ${maxTotalLength} characters in all` : null;
}

function checkHeader(name: string, value: unknown, seen: ReadonlySet<string>): string | null {
  if (name.length > maxNameLength || !namePattern.test(name)) {
    return `holds a name that is no header's, or longer than ${maxNameLength} characters`;
  }
  const lower = name.toLowerCase();
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return `must not contain ${lower}`;
  }
  if (seen.has(lower)) return `names ${lower} twice`;
  if (typeof value !== 'string' || value.length > maxValueLength || !valuePattern.test(value)) {
    return `${lower} must be a text of at most ${maxValueLength} visible ASCII characters`;
  }
  return null;
}
