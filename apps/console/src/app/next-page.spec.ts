import { pageAddress } from './next-page';

describe('BX-24 the page that a sign-in leads to', () => {
  it.each(['/', '/queues/emails', '/jobs?search=tag%3Aa%3D1#log', '/queues/a%2F..%2Fb', '/login-links'])(
    'is one of the console: %s',
    (page) => {
      expect(pageAddress('/console', page)).toBe(`/console${page}`);
    },
  );

  it('may be written with dots that stay in the console', () => {
    expect(pageAddress('/console', '/queues/../jobs')).toBe('/console/jobs');
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '.evil.example/',
    '@evil.example/',
    '',
    '/..//x',
    '/../api/v1/jobs',
    '/%2e%2e/x',
    '/login',
    '/login?next=/login',
  ])('is none for %s', (page) => {
    expect(pageAddress('/console', page)).toBeNull();
  });

  it('is found in the oldest browsers that the build is made for', () => {
    const { parse } = URL;
    Reflect.deleteProperty(URL, 'parse');
    try {
      expect(pageAddress('/console', '/queues')).toBe('/console/queues');
    } finally {
      URL.parse = parse;
    }
  });
});
