import { causeReportProblem, causeReportSettings, causeReportWords, readCauseReports } from './cause-reports';

describe('the rule when causes of failures are reported', () => {
  it.each([
    [{}, 'At the first dead letter', { cause_report_jobs: null, cause_report_minutes: null }],
    [{ cause_report_jobs: 1 }, 'At the first dead letter', { cause_report_jobs: null, cause_report_minutes: null }],
    [{ cause_report_jobs: 0, cause_report_minutes: 5 }, 'Never', { cause_report_jobs: 0, cause_report_minutes: null }],
    [{ cause_report_jobs: 3 }, 'At 3 dead letters in 60 min', { cause_report_jobs: 3, cause_report_minutes: 60 }],
    [
      { cause_report_jobs: 3, cause_report_minutes: 5 },
      'At 3 dead letters in 5 min',
      { cause_report_jobs: 3, cause_report_minutes: 5 },
    ],
  ])('of %j is shown and saved', (settings, words, saved) => {
    const rule = readCauseReports(settings);
    expect([causeReportWords(rule), causeReportSettings(rule)]).toEqual([words, saved]);
  });

  it.each([
    ['1', '5', 'jobs'],
    ['10001', '5', 'jobs'],
    ['2.5', '5', 'jobs'],
    ['', '5', 'jobs'],
    ['2', '61', 'minutes'],
    ['2', '0', 'minutes'],
    ['2', '5', null],
  ])('of %s jobs in %s min has a problem in %s', (jobs, minutes, field) => {
    const problems = (['jobs', 'minutes'] as const).filter((name) =>
      causeReportProblem(name, { when: 'several', jobs, minutes }),
    );
    expect(problems).toEqual(field === null ? [] : [field]);
    expect(causeReportProblem('jobs', { when: 'never', jobs, minutes })).toBeNull();
  });
});
