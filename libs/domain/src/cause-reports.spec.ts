import { causeReportRule, checkCauseReportSettings, reportOf, type SeenCause } from './cause-reports.js';

const seen: SeenCause = { inWindow: 1, lastHour: 1, hourBefore: 0, isNew: true, reported: null };
const old = { ...seen, isNew: false };
const [first, many, off] = [1, 50, 0].map((jobs) => ({ jobs, minutes: 60 }));

describe('BX-06 a cause of failures', () => {
  it.each<[what: string, seen: SeenCause, rule: { jobs: number; minutes: number }, report: string | null]>([
    ['is reported when it is first seen', seen, first!, 'cause.appeared'],
    ['is not reported again', { ...seen, reported: { jobs: 1, hoursAgo: 2 } }, first!, null],
    ['is never reported by a queue that is off', { ...seen, inWindow: 999 }, off!, null],
    ['waits for as many jobs as the queue says', { ...seen, inWindow: 49 }, many!, null],
    ['is reported when it has them', { ...seen, inWindow: 50 }, many!, 'cause.appeared'],
    ['is reported when it has them, also if it is older', { ...old, inWindow: 50 }, many!, 'cause.grew'],
    ['that is older is not reported', { ...old, inWindow: 9, lastHour: 9 }, first!, null],
    [
      'that is older is reported when it grows',
      { ...old, inWindow: 30, lastHour: 30, hourBefore: 10 },
      first!,
      'cause.grew',
    ],
    ['that is as large as before is not', { ...old, inWindow: 29, lastHour: 29, hourBefore: 10 }, first!, null],
    ['grows beyond its report', { ...old, lastHour: 30, reported: { jobs: 10, hoursAgo: 1 } }, first!, 'cause.grew'],
    ['grows at most once an hour', { ...old, lastHour: 30, reported: { jobs: 1, hoursAgo: 0.9 } }, first!, null],
  ])('%s', (_what, cause, rule, report) => {
    expect(reportOf(cause, rule)).toBe(report);
  });

  it('has rules in the settings of its queue, which are checked', () => {
    expect(causeReportRule({})).toEqual({ jobs: 1, minutes: 60 });
    expect(causeReportRule({ cause_report_jobs: 5, cause_report_minutes: 10 })).toEqual({ jobs: 5, minutes: 10 });
    expect(causeReportRule({ cause_report_jobs: 'many' })).toMatchObject({ jobs: 1 });
    expect(checkCauseReportSettings({ cause_report_jobs: 0, cause_report_minutes: null })).toBeNull();
    expect(checkCauseReportSettings({ cause_report_minutes: 61 })).toEqual({
      field: 'cause_report_minutes',
      reason: 'must be a whole number from 1 to 60',
    });
  });
});
