import { ManualClock } from '@spooled/testing';
import { ProgressReports } from './progress-reports.js';

function open() {
  const clock = new ManualClock();
  const reports = new ProgressReports(clock);
  const sent: string[] = [];
  const report = (lease: string, text: string) =>
    reports.report(lease, () => {
      sent.push(text);
      return text === 'lost' ? Promise.reject(new Error('lost')) : Promise.resolve();
    });
  return { clock, report, sent };
}

describe('SP-25 reports about the progress of a job', () => {
  it('are sent at once, then once a second: the newest, which answers for those before it', async () => {
    const { clock, report, sent } = open();
    await report('a', '1');
    const replaced = report('a', '2');
    const last = report('a', '3');
    await replaced;
    await clock.advance(999);
    expect(sent).toEqual(['1']);
    await clock.advance(1);
    await last;
    expect(sent).toEqual(['1', '3']);
    // The one after the pause has begun a second of its own.
    void report('a', '4');
    await clock.advance(999);
    expect(sent).toEqual(['1', '3']);
    await clock.advance(1);
    expect(sent).toEqual(['1', '3', '4']);
  });

  it('are sent at once again after a second without one, and nothing is kept of the lease', async () => {
    const { clock, report, sent } = open();
    await report('a', '1');
    await clock.advance(1_000);
    clock.assertIdle();
    await report('a', '2');
    expect(sent).toEqual(['1', '2']);
  });

  it('of another lease do not wait', async () => {
    const { report, sent } = open();
    await report('a', '1');
    await report('b', '2');
    expect(sent).toEqual(['1', '2']);
  });

  it('fail with the report that was sent for them', async () => {
    const { clock, report } = open();
    await expect(report('a', 'lost')).rejects.toThrow('lost');
    const waiting = expect(report('a', 'lost')).rejects.toThrow('lost');
    await clock.advance(1_000);
    await waiting;
  });
});
