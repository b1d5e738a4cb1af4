import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classes } from './class-names';
import styles from './virtual-table.module.css';

export interface VirtualColumn<T> {
  title: string;
  /** A track of a CSS grid, such as `minmax(10rem, 2fr)`. */
  width: string;
  numeric?: boolean;
  cell: (row: T) => ReactNode;
}

interface VirtualTableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly VirtualColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** More rows can be loaded. */
  hasMore?: boolean;
  /** Called when the last rows come into view. */
  onEnd?: () => void;
  rowHeight?: number;
  /** What the columns need, in rem. Where that does not fit, the table scrolls sideways. @default 52 */
  width?: number;
}

const defaultRowHeight = 46;
/** In rem: tables up to this width fit windows of 80 rem and more, where their heads stay in view. */
const usualWidth = 63;

/**
 * A table of any length: only rows in view are in the page. Rows have one height, so that nothing is measured. Screen readers are told
 * the number and the index of the rows.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, columns, rows, rowKey, hasMore = false, onEnd, rowHeight = defaultRowHeight, width = 52 } = props;
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  // The distance from the top of the page changes with what is above, such as filters that wrap.
  useLayoutEffect(() => setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [rows.length]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => rowKey(rows[index]!),
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - 1) onEnd?.();
  }, [hasMore, lastIndex, rows.length, onEnd]);
  return (
    <div className={classes(styles.frame, width > usualWidth && styles.wide)}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        style={{ minWidth: `${width}rem` }}
      >
        <div role="rowgroup" className={styles.head}>
          <Row role="columnheader" number={1} columns={columns} cell={({ title }) => title} />
        </div>
        <div role="rowgroup" ref={body} className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <Row
              key={key}
              role="cell"
              number={index + 2}
              columns={columns}
              cell={({ cell }) => cell(rows[index]!)}
              style={{ height: rowHeight, transform: `translateY(${start - offset}px)` }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps<T> {
  role: 'columnheader' | 'cell';
  /** From 1, which is the head. */
  number: number;
  columns: readonly VirtualColumn<T>[];
  cell: (column: VirtualColumn<T>) => ReactNode;
  style?: CSSProperties;
}

function Row<T>({ role, number, columns, cell, style }: RowProps<T>) {
  const gridTemplateColumns = columns.map(({ width }) => width).join(' ');
  return (
    <div role="row" aria-rowindex={number} className={styles.row} style={{ gridTemplateColumns, ...style }}>
      {columns.map((column) => (
        <div key={column.title} role={role} className={classes(styles.cell, column.numeric && styles.numeric)}>
          {cell(column)}
        </div>
      ))}
    </div>
  );
}
