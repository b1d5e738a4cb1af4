/** When a queue reports a cause of failures to webhooks. */
export interface CauseReportRule {
  /** Dead letters of the cause that it takes; 1 = as soon as it is seen, 0 = never. */
  jobs: number;
  /** In so many minutes. */
  minutes: number;
}

const defaultRule: CauseReportRule = { jobs: 1, minutes: 60 };
const bounds = { cause_report_jobs: { min: 0, max: 10_000 }, cause_report_minutes: { min: 1, max: 60 } } as const;
type Setting = keyof typeof bounds;

export const causeReportSettingNames = Object.keys(bounds) as Setting[];

const isWithin = (name: Setting, value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= bounds[name].min && (value as number) <= bounds[name].max;

/** The problem with the settings of reports of a queue, or null. Absent and null members take the default. */
export function checkCauseReportSettings(settings: Record<string, unknown>): { field: string; reason: string } | null {
  const field = causeReportSettingNames.find((name) => settings[name] != null && !isWithin(name, settings[name]));
  return field === undefined
    ? null
    : { field, reason: `must be a whole number from ${bounds[field].min} to ${bounds[field].max}` };
}

/** Invalid settings count as absent. */
export function causeReportRule(settings: Record<string, unknown>): CauseReportRule {
  const { cause_report_jobs: jobs, cause_report_minutes: minutes } = settings;
  return {
    jobs: isWithin('cause_report_jobs', jobs) ? jobs : defaultRule.jobs,
    minutes: isWithin('cause_report_minutes', minutes) ? minutes : defaultRule.minutes,
  };
}

/** Dead letters of an hour, and the factor to the hour before, that make a cause growing. */
const growth = { dead: 10, factor: 3 };

/** Whether a cause of failures grows: the same for problems and for webhooks. */
export const isGrowing = (lastHour: number, before: number): boolean =>
  lastHour >= growth.dead && lastHour >= growth.factor * before;

/** A cause in one queue, as the scheduler finds it. */
export interface SeenCause {
  /** Its dead letters in the minutes of the rule, or since the last look if that is longer ago. */
  inWindow: number;
  lastHour: number;
  hourBefore: number;
  /** Its oldest dead letter is newer than the first look for this organization. */
  isNew: boolean;
  /** The last report of the cause; null: none of late. */
  reported: { jobs: number; hoursAgo: number } | null;
}

/**
 * What to report of a cause: once that it appeared, and then when it grows, at most once an hour. With a rule of several jobs also
 * that a cause which is older has reached them.
 */
export function reportOf(seen: SeenCause, { jobs }: CauseReportRule): 'cause.appeared' | 'cause.grew' | null {
  if (jobs === 0 || seen.inWindow < jobs) return null;
  if (seen.reported)
    return seen.reported.hoursAgo >= 1 && isGrowing(seen.lastHour, seen.reported.jobs) ? 'cause.grew' : null;
  if (seen.isNew) return 'cause.appeared';
  return jobs > 1 || isGrowing(seen.lastHour, seen.hourBefore) ? 'cause.grew' : null;
}
