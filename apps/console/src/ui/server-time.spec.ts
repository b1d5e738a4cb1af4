import { noteServerTime, toServerTime } from './server-time';

const browser = Date.parse('2026-10-25T00:59:58Z');
const header = (ms: number) => new Date(ms).toUTCString();
const minutes = 60_000;

afterEach(() => noteServerTime(header(browser), browser, browser));

describe('the server’s time', () => {
  it.each([-120, -5, 5, 120])('corrects a browser whose clock is %s minutes ahead', (ahead) => {
    const server = browser - ahead * minutes;
    noteServerTime(header(server), browser - 300, browser);
    expect(Math.abs(toServerTime(browser) - server)).toBeLessThan(2_000);
    // Later responses that fit change nothing, also slow ones.
    const corrected = toServerTime(browser);
    noteServerTime(header(server + 700), browser - 9_000, browser + 700);
    expect(toServerTime(browser)).toBe(corrected);
    // The browser's clock was set.
    noteServerTime(header(browser), browser - 300, browser);
    expect(toServerTime(browser)).toBe(browser);
  });

  it('leaves a clock alone that may be right, and ignores a response without a date', () => {
    for (const date of [header(browser), header(browser - 1_500), null, 'soon']) {
      noteServerTime(date, browser - 200, browser);
      expect(toServerTime(browser)).toBe(browser);
    }
  });
});
