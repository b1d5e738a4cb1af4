import { LatestReport } from './latest-report.js';

describe('BX-18 reports of which the newest counts', () => {
  const sent: { value: number; answer: PromiseWithResolvers<void> }[] = [];
  let reports: LatestReport<number>;
  beforeEach(() => {
    sent.length = 0;
    reports = new LatestReport((value) => {
      sent.push({ value, answer: Promise.withResolvers() });
      return sent.at(-1)!.answer.promise;
    });
  });
  const values = () => sent.map(({ value }) => value);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are sent one at a time, those between the first and the last not at all', async () => {
    const all = Array.from({ length: 1000 }, (_, n) => reports.report(n));
    expect(values()).toEqual([0]);
    sent[0]!.answer.resolve();
    await all[0];
    await settled();
    expect(values()).toEqual([0, 999]);
    sent[1]!.answer.resolve();
    await Promise.all(all);
    const later = reports.report(1000);
    sent[2]!.answer.resolve();
    await later;
    expect(values()).toEqual([0, 999, 1000]);
  });

  it('go on after one that was refused, which its caller learns', async () => {
    const [first, second] = [reports.report(1), reports.report(2)];
    sent[0]!.answer.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settled();
    sent[1]!.answer.resolve();
    await second;
    expect(values()).toEqual([1, 2]);
  });
});
