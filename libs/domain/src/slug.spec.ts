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
