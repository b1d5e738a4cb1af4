import { firstCodePoints, hasAtMost } from './code-points.js';

describe('lengths in code points', () => {
  it.each([
    ['', 0, true],
    ['ab', 2, true],
    ['abc', 2, false],
    ['\u{1f600}\u{1f600}', 2, true],
    ['\u{1f600}\u{1f600}a', 2, false],
    ['\u{1f600}abc', 3, false],
  ])('%j has at most %d: %s', (text, most, expected) => {
    expect(hasAtMost(text, most)).toBe(expected);
  });

  it('cuts between code points', () => {
    expect(firstCodePoints('a\u{1f600}b', 2)).toBe('a\u{1f600}');
    expect(firstCodePoints('\u{1f600}\u{1f600}', 1)).toBe('\u{1f600}');
    expect(firstCodePoints('abc', 5)).toBe('abc');
  });
});
