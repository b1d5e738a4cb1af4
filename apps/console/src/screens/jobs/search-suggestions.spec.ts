import { isPlainText, quoted, suggestionsFor } from './search-suggestions.js';

const suggest = (line: string, queues: string[] = []) =>
  suggestionsFor(line, { queues, statuses: ['pending', 'deadletter'] });
const lines = (line: string, queues?: string[]): string[] => suggest(line, queues).map((one) => one.line);

it('suggests the terms that begin like the last word, and keeps the words before it', () => {
  expect(lines('')).toEqual(
    expect.arrayContaining(['queue:', 'type:', 'status:', 'tag:', 'payload.', 'error~', 'worker:', 'key:', 'created:']),
  );
  expect(suggest('type:a qu')).toEqual([{ line: 'type:a queue:', about: 'queue:mails,reports' }]);
  expect(lines('queue:')).toEqual([]);
});

it('suggests queues and statuses, quoted where the line needs it', () => {
  expect(suggest('queue:m', ['mails', 'reports'])).toEqual([{ line: 'queue:mails ', about: '' }]);
  expect(lines('status:de')).toEqual(['status:deadletter ']);
  expect(lines('queue:', ['a,b'])).toEqual(['queue:"a,b" ']);
});

it('suggests nothing within quotes', () => {
  expect(lines('error~"que')).toEqual([]);
  expect(lines('error~"a b" que')).toEqual([]);
});

it('quotes what the line would read as something else', () => {
  expect([quoted('mail'), quoted('a b'), quoted('https://a'), quoted('-x'), quoted('say "no" \\')]).toEqual([
    'mail',
    '"a b"',
    '"https://a"',
    '"-x"',
    '"say \\"no\\" \\\\"',
  ]);
});

it('knows lines that are one word', () => {
  expect([isPlainText('mail'), isPlainText('queue:mail'), isPlainText('a b'), isPlainText('"a"')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
