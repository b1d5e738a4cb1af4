import { cronWords } from './cron-words';

it.each([
  ['0 9 * * 1-5', 'At 09:00, Monday through Friday'],
  ['*/15 2-5 * * *', 'Every 15 minutes, between 02:00 and 05:59'],
  ['30 0 9 * * *', 'At 09:00:30'],
  ['0 0 1 * *', 'At 00:00, on day 1 of the month'],
  ['0 12 * * 7', 'At 12:00, only on Sunday'],
  // Either of both days, as the server has it.
  ['0 12 13 * FRI', 'At 12:00, on day 13 of the month, or on Friday'],
])('says %s in words', (expression, words) => {
  expect(cronWords(expression)).toBe(words);
});

it.each(['', '0 9 * *', '@daily', '0 9 * * * * 2030', '61 9 * * *', 'a b c d e'])(
  'says nothing of %j',
  (expression) => {
    expect(cronWords(expression)).toBeNull();
  },
);
