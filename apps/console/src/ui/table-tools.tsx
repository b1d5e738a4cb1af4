import { type ReactNode, useMemo, useState } from 'react';
import { ChoiceMenu } from './choice-menu';
import styles from './table-tools.module.css';
import { KeptText, useStore } from './store';

interface TableToolsProps {
  columns: readonly { title: string }[];
  hidden: readonly string[];
  onHide(titles: string[]): void;
  /** What else applies to the table, such as chips and acts. */
  children?: ReactNode;
}

/** A line above a table. The first column always shows, because it has the link of the row. */
export function TableTools({ columns, hidden, onHide, children }: TableToolsProps) {
  const titles = columns.slice(1).map(({ title }) => title);
  return (
    <div className={styles.tools}>
      {children}
      <div className={styles.columns}>
        <ChoiceMenu
          label="Columns"
          choices={titles.map((title) => ({ value: title, label: title }))}
          selected={titles.filter((title) => !hidden.includes(title))}
          onChange={(shown) => onHide(titles.filter((title) => !shown.includes(title)))}
        />
      </div>
    </div>
  );
}

/**
 * The titles of the columns of a table that the user has hidden, kept in this browser, and a function that changes them.
 * @param table a name of the table
 */
export function useHiddenColumns(table: string): [hidden: readonly string[], hide: (titles: string[]) => void] {
  const [kept] = useState(() => new KeptText(`spooled.hidden-columns.${table}`));
  const text = useStore(kept);
  return [useMemo(() => titlesOf(text), [text]), (titles) => kept.set(JSON.stringify(titles))];
}

function titlesOf(text: string | null): string[] {
  try {
    const titles: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(titles) ? titles.filter((title) => typeof title === 'string') : [];
  } catch {
    return [];
  }
}
