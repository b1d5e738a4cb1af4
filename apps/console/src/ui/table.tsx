import type { ReactNode } from 'react';
import { classes } from './class-names';
import { ariaSortOf, ColumnHead } from './column-head';
import { type TableColumn, useTableModel } from './table-model';
import styles from './table.module.css';

export interface Column<T> extends TableColumn<T> {
  /** Shown as a heading of the row to screen readers. */
  isRowHeader?: boolean;
  /** Such as `12rem`; otherwise as wide as its content. */
  width?: string;
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** In place of rows. */
  empty?: ReactNode;
}

/** A table of few rows. It scrolls sideways by itself where the page is too narrow. */
export function Table<T>({ label, columns, rows, rowKey, empty }: TableProps<T>) {
  const model = useTableModel({ columns, rows, rowKey });
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div className={styles.frame} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {model.columns.map((head) => (
              <th
                key={head.column.title}
                scope="col"
                aria-sort={ariaSortOf(head)}
                className={classes(head.column.numeric && styles.numeric)}
                style={{ width: head.column.width }}
              >
                <ColumnHead head={head} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.rows.map(({ row, key }) => (
            <tr key={key} data-row>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const className = classes(column.numeric && styles.numeric);
  if (!column.isRowHeader) return <td className={className}>{column.cell(row)}</td>;
  return (
    <th scope="row" className={className}>
      {column.cell(row)}
    </th>
  );
}
