import type { Timestamp } from '@spooled/contracts/grpc';
import { invalidField } from '@spooled/domain';

/** The bounds of protobuf's own definition: the years 1 to 9999. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

/** An RFC 3339 time with all digits of its fraction. */
export function toTimestamp(time: string | null): Timestamp | undefined {
  if (time === null) return undefined;
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? '';
  return { seconds: Math.floor(Date.parse(time) / 1000), nanos: Number(fraction.padEnd(9, '0')) };
}

/** RFC 3339 with milliseconds. @throws SpooledError 400 when out of bounds */
export function fromTimestamp(timestamp: Timestamp | undefined, field: string): string | null {
  if (timestamp === undefined) return null;
  const { seconds, nanos } = timestamp;
  if (!(seconds >= earliest && seconds <= latest && nanos >= 0 && nanos < 1e9)) {
    throw invalidField(field, 'must be a time between the years 1 and 9999');
  }
  return new Date(seconds * 1000 + Math.floor(nanos / 1e6)).toISOString();
}
