/** When causes of failures of a queue are reported to webhooks: its settings `cause_report_jobs` and `cause_report_minutes`. */
export interface CauseReports {
  when: 'first' | 'several' | 'never';
  /** Dead letters of a cause, and the minutes in which they die; used for `several` only. */
  jobs: string;
  minutes: string;
}

const usual = { jobs: '10', minutes: '60' };
const bounds = { jobs: { min: 2, max: 10_000 }, minutes: { min: 1, max: 60 } } as const;
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export function readCauseReports(settings: Record<string, unknown>): CauseReports {
  const [jobs, minutes] = [numberOf(settings.cause_report_jobs), numberOf(settings.cause_report_minutes)];
  if (jobs === 0) return { when: 'never', ...usual };
  if (jobs === null || jobs === 1) return { when: 'first', ...usual };
  return { when: 'several', jobs: String(jobs), minutes: minutes === null ? usual.minutes : String(minutes) };
}

/** The settings of the queue; null = as if it were absent. */
export function causeReportSettings({ when, jobs, minutes }: CauseReports) {
  if (when === 'several') return { cause_report_jobs: Number(jobs), cause_report_minutes: Number(minutes) };
  return { cause_report_jobs: when === 'never' ? 0 : null, cause_report_minutes: null };
}

/** What is wrong with a number of the form; null if it can be saved. */
export function causeReportProblem(name: keyof typeof bounds, { when, ...texts }: CauseReports): string | null {
  const { min, max } = bounds[name];
  const value = texts[name].trim() === '' ? NaN : Number(texts[name]);
  if (when !== 'several' || (Number.isInteger(value) && value >= min && value <= max)) return null;
  return `A whole number from ${min} to ${max}`;
}

/** The rule in words. */
export function causeReportWords({ when, jobs, minutes }: CauseReports): string {
  if (when === 'never') return 'Never';
  return when === 'first' ? 'At the first dead letter' : `At ${jobs} dead letters in ${minutes} min`;
}
