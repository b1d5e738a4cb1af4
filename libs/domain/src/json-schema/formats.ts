import ipaddr from 'ipaddr.js';

/** Longer texts have no format; it bounds the time of a match. */
const maxLength = 1_000;

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  const inMonth = Number(month) >= 1 && Number(month) <= 12;
  return inMonth && Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month));
}

/** RFC 3339, with an offset. A leap second is at 23:59:60 UTC. */
function isTime(text: string): boolean {
  const found = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i.exec(text);
  if (!found) return false;
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [offsetHour, offsetMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === '-' ? 1 : -1);
  return (hour * 60 + minute + offset + 2 * 1440) % 1440 === 1439;
}

const isDateTime = (text: string): boolean =>
  /^.{10}[Tt ]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`, 'i');
const email = new RegExp(String.raw`^[\w.!#$%&'*+/=?^\`{|}~-]{1,64}@${label}(?:\.${label})*$`, 'i');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const duration = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const uri = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]*$/i;

/** The formats that are checked. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: (text) => duration.test(text),
  email: (text) => email.test(text) && !text.includes('..') && !/^\.|\.@/.test(text),
  hostname: (text) => hostName.test(text),
  ipv4: (text) => ipaddr.IPv4.isValidFourPartDecimal(text),
  ipv6: (text) => ipaddr.IPv6.isValid(text) && !text.includes('%'),
  uri: (text) => uri.test(text),
  uuid: (text) => uuid.test(text),
};

/** Whether a text has one of the `formats`. */
export const hasFormat = (name: string, text: string): boolean => text.length <= maxLength && formats[name]!(text);
