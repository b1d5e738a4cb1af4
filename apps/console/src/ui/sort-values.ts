/** Null and undefined: unknown. */
export type SortValue = string | number | null | undefined;

const texts = new Intl.Collator('en', { numeric: true });

/** Numbers by size, texts as people read them: `job-9` before `job-10`. */
export const compareValues = (one: SortValue, other: SortValue): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : texts.compare(String(one), String(other));
