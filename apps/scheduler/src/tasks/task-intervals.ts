import { integer, setting } from '@spooled/platform';
import { type TaskInterval, taskIntervals, type TaskName } from '@spooled/queue';

const shortestMs = 100;
const longestMs = 24 * 60 * 60 * 1000;

const milliseconds = (preset: number, doc: string) =>
  setting(integer({ min: shortestMs, max: longestMs }).default(preset), doc);

type IntervalSetting = ReturnType<typeof milliseconds>;
type SettingKey = `TASK_${string}_INTERVAL_MS` | `TASK_${string}_SWEEP_MS`;

const keyOf = (name: string, kind: 'INTERVAL' | 'SWEEP') =>
  `TASK_${name.toUpperCase().replaceAll('-', '_')}_${kind}_MS` as SettingKey;

function settingsOf([name, { intervalMs, sweepMs, what }]: [string, TaskInterval]): [SettingKey, IntervalSetting][] {
  const task = `the task ${name}: ${what}`;
  if (sweepMs === undefined) {
    return [[keyOf(name, 'INTERVAL'), milliseconds(intervalMs, `Milliseconds between two runs of ${task}.`)]];
  }
  return [
    [keyOf(name, 'INTERVAL'), milliseconds(intervalMs, `Milliseconds between two checks for due work of ${task}.`)],
    [keyOf(name, 'SWEEP'), milliseconds(sweepMs, `Longest time in milliseconds between two runs of ${task}.`)],
  ];
}

/** A setting for each interval (MQ-29), such as TASK_LEASE_RECOVERY_SWEEP_MS; from 100 ms to a day. */
export const taskSettings: Record<SettingKey, IntervalSetting> = Object.fromEntries(
  Object.entries<TaskInterval>(taskIntervals).flatMap(settingsOf),
);

/** The intervals of a task as set by the operator. */
export function intervalsOf(name: TaskName, settings: Record<SettingKey, number>) {
  return { intervalMs: settings[keyOf(name, 'INTERVAL')]!, sweepMs: settings[keyOf(name, 'SWEEP')] };
}
