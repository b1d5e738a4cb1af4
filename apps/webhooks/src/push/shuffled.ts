/** The same things in random order (Fisher and Yates). */
export function shuffled<T>(things: Iterable<T>): T[] {
  const all = [...things];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}
