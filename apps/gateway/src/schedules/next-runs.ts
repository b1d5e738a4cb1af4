import { type CronSchedule, zoneOffset } from '@spooled/domain';

interface Run {
  at: string;
  local: string;
}

/** The next runs after a time, at most `count`, each also in the time zone of the schedule. */
export function nextRuns(cron: CronSchedule, timezone: string, after: Date, count: number): Run[] {
  const offsetAt = zoneOffset(timezone)!;
  const runs: Run[] = [];
  let run = cron.next(after);
  while (run !== null && runs.length < count) {
    runs.push({ at: run.toISOString(), local: localTime(run, offsetAt(run.getTime())) });
    run = cron.next(run);
  }
  return runs;
}

/** RFC 3339 with the offset of the zone, in whole seconds. */
function localTime(at: Date, offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(at.getTime() + offsetMs).toISOString().replace(/\.\d+Z$/, offset);
}
