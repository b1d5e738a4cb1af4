import type { ReactNode } from 'react';
import { ChoiceMenu } from './choice-menu';
import styles from './table-tools.module.css';

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
