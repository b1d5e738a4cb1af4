import fc from 'fast-check';
import { numberedSlug, slugFrom, slugProblem } from './slug.js';

describe('slugs', () => {
  it.each([
    ['Acme Ltd', 'acme-ltd'],
    ['  Crème   Brûlée & Co. ', 'creme-brulee-co'],
    ['42 things', 'org-42-things'],
    ['AB', 'ab-org'],
    ['Admin', 'admin-org'],
    ['東京', 'org'],
  ])('%p becomes %p', (name, slug) => expect(slugFrom(name)).toBe(slug));

  it('are at least three and at most fifty characters, and end with a letter or a digit, also numbered', () => {
    expect(slugFrom('x'.repeat(60))).toBe('x'.repeat(50));
    expect(slugFrom(`${'x'.repeat(49)} yz`)).toBe('x'.repeat(49));
    expect(slugFrom('a--b')).toBe('a-b');
    expect(numberedSlug('acme', 12)).toBe('acme-12');
    expect(numberedSlug('x'.repeat(50), 12)).toBe(`${'x'.repeat(47)}-12`);
    expect(numberedSlug(`${'x'.repeat(46)}-${'y'.repeat(3)}`, 12)).toBe(`${'x'.repeat(46)}-12`);
    expect(numberedSlug('two-words', 2)).toBe('two-words-2');
  });

  it.each([
    ['ab', 'must be 3 to 50 characters'],
    ['x'.repeat(50), null],
    ['x'.repeat(51), 'must be 3 to 50 characters'],
    ['1st', 'must hold lower-case letters and digits, separated by single hyphens, and begin with a letter'],
    ['www', 'is reserved'],
  ])('the problem with %p is %p', (slug, problem) => expect(slugProblem(slug)).toBe(problem));

  it('every name becomes a slug that the rules allow, also with a number behind it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 2, max: 9_999_999 }),
        (name, number) => {
          const slug = slugFrom(name);
          expect([slugProblem(slug), slugProblem(numberedSlug(slug, number))]).toEqual([null, null]);
        },
      ),
    );
  });

  it.each(['ab', 'x'.repeat(51), 'Upper', '1st', 'two--hyphens', 'ends-', '-begins', 'ümlaut', 'www'])(
    '%p is refused with a reason',
    (slug) => expect(slugProblem(slug)).toEqual(expect.any(String)),
  );
});
