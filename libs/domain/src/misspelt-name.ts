const maxDistance = 2;

/**
 * The known name that a caller probably meant, or null: the same name in camelCase, or one at most two letters away. Of a short name
 * fewer letters may differ, because other words are near it.
 */
export function knownNameLike(name: string, known: readonly string[]): string | null {
  const plain = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return known.find((each) => isNear(plain, each, Math.min(maxDistance, Math.floor(each.length / 4)))) ?? null;
}

function isNear(a: string, b: string, most: number): boolean {
  return Math.abs(a.length - b.length) <= most && distance(a, b) <= most;
}

/** Letters to insert, remove or replace to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
