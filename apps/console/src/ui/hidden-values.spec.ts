import { isHidden, parseHiddenPath, readHiddenPaths, withoutHidden } from './hidden-values';

const hides = (path: string, paths: string[] = [], value: unknown = 'x'): boolean =>
  isHidden(path === '' ? [] : path.toLowerCase().split('.'), value, readHiddenPaths(paths));

it('hides members that are often secret, whatever the organization lists', () => {
  for (const name of [
    'password',
    'user_password',
    'Authorization',
    'api_key',
    'api-key',
    'apiKey',
    'accessToken',
    'clientSecret',
  ]) {
    expect([name, hides(name)]).toEqual([name, true]);
  }
  for (const name of ['card_number', 'cardNumber', 'cvv', 'iban', 'SSN', 'set-cookie', 'credentials']) {
    expect([name, hides(`order.${name}`)]).toEqual([name, true]);
  }
  for (const name of ['email', 'passenger', 'max_tokens', 'keyboard', 'id', 'card', 'span', 'pinned']) {
    expect([name, hides(name)]).toEqual([name, false]);
  }
  expect(hides('password', [], null)).toBe(false);
});

it('hides paths from the root and at any depth', () => {
  expect([hides('customer.email', ['$.customer.email']), hides('old.customer.email', ['$.customer.email'])]).toEqual([
    true,
    false,
  ]);
  expect([hides('email', ['*.email']), hides('a.b.email', ['*.email']), hides('email.a', ['*.email'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect([hides('a.customer.email', ['customer.email']), hides('customer.Email', ['customer.email'])]).toEqual([
    true,
    true,
  ]);
  expect([hides('items.card', ['$.items[*].card']), hides('items.card', ['$.items[0].card'])]).toEqual([true, true]);
  expect([hides('a.b', ['$.*.b']), hides('a.c.b', ['$.*.b'])]).toEqual([true, false]);
  expect([hides('home_phone', ['*_phone']), hides('phone', ['*_phone']), hides('a-b-c', ['a*b*c'])]).toEqual([
    true,
    false,
    true,
  ]);
  expect([hides('', ['$']), hides('a', ['$']), hides('a.b', ['*'])]).toEqual([true, false, true]);
});

it('is not slow for a path of asterisks', () => {
  const path = '*a'.repeat(100).slice(0, 199) + 'b';
  expect(hides('a'.repeat(100_000), [path])).toBe(false);
});

it('refuses what is no path, and ignores it in a list', () => {
  for (const text of ['', ' ', '$.', 'a..b', '.a', 'a[b]', 'a[', 'x'.repeat(201)])
    expect([text, parseHiddenPath(text)]).toEqual([text, null]);
  expect(readHiddenPaths(['a', 7, null, 'b..c', 'd'])).toHaveLength(2);
  for (const texts of [null, 'a', { a: 'b' }, undefined]) expect(readHiddenPaths(texts)).toEqual([]);
  expect(readHiddenPaths(Array.from({ length: 500 }, (_, i) => `a${i}`))).toHaveLength(100);
});

it('copies a document with a note in place of what hides', () => {
  const document = { id: 9007199254740993n, password: 'x', items: [{ card: 1, name: 'a' }], list: ['b'], none: null };
  expect(withoutHidden(document, readHiddenPaths(['$.items[*].card']))).toEqual({
    document: { ...document, password: '[hidden]', items: [{ card: '[hidden]', name: 'a' }] },
    hasHidden: true,
  });
  expect(withoutHidden({ a: [1] }, [])).toEqual({ document: { a: [1] }, hasHidden: false });
});

it('copies a document of any depth', () => {
  const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
  expect(withoutHidden(deep, []).hasHidden).toBe(true);
});

it('hides every value while the paths are not known', () => {
  expect(withoutHidden({ a: 1, b: { c: ['x', null] } }, null).document).toEqual({
    a: '[hidden]',
    b: { c: ['[hidden]', null] },
  });
});
