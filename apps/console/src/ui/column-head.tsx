import styles from './column-head.module.css';
import type { ModelColumn } from './table-model';

/** The heading of a column: a button where the column sorts. */
export function ColumnHead({ head: { column, sort } }: { head: ModelColumn<{ title: string }> }) {
  if (!sort) return <>{column.title}</>;
  return (
    <button type="button" className={styles.sort} data-direction={sort.direction} onClick={sort.toggle}>
      {column.title}
    </button>
  );
}

/** What screen readers say of it; absent where the column does not sort. */
export const ariaSortOf = ({ sort }: ModelColumn<unknown>) => sort?.direction;
