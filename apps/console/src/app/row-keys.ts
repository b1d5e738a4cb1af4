const rows = '[data-row]';
const target = 'a[href], button';

/**
 * Moves the focus to the link of the next or previous row, so that Enter follows it: within the table that has the focus, otherwise
 * into the first table of the page.
 */
export function moveBetweenRows(step: 1 | -1): void {
  const present = document.activeElement?.closest<HTMLElement>(rows);
  const table = present?.closest('[role="table"], table') ?? document.querySelector('main :is([role="table"], table)');
  if (!table) return;
  const all = [...table.querySelectorAll<HTMLElement>(rows)].sort(byIndex);
  const first = all.find((row) => row.getBoundingClientRect().top >= 0);
  const next = present ? all[all.indexOf(present) + step] : first;
  next?.querySelector<HTMLElement>(target)?.focus();
}

/** Chooses the row that has the focus, or no longer. */
export function toggleRow(): void {
  document.activeElement?.closest(rows)?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
}

/** Rows of long tables are in the page in the order in which they came into view. */
const byIndex = (one: HTMLElement, other: HTMLElement): number => indexOf(one) - indexOf(other);
const indexOf = (row: HTMLElement): number => Number(row.ariaRowIndex ?? 0);
