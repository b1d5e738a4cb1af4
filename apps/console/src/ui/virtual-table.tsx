import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classes } from './class-names';
import { ariaSortOf, ColumnHead } from './column-head';
import { type ModelRow, type Selection, type TableColumn, type TableModel, useTableModel } from './table-model';
import styles from './virtual-table.module.css';

export interface VirtualColumn<T> extends TableColumn<T> {
  /** A track of a CSS grid, such as `minmax(10rem, 2fr)`. */
  width: string;
}

interface VirtualTableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly VirtualColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Titles of columns that do not show. */
  hidden?: readonly string[];
  selection?: Selection | undefined;
  /** More rows can be loaded. */
  hasMore?: boolean;
  /** Called when the last rows come into view, and while rows are missing that a column sorts. */
  onEnd?: () => void;
  /** What the columns need, in rem. Where that does not fit, the table scrolls sideways. @default 52 */
  width?: number;
}

const rowHeight = 46;
/** In rem: tables up to this width fit windows of 80 rem and more, where their heads stay in view. */
const usualWidth = 63;

/** A column sorts up to this many rows; of longer lists, those that are loaded. */
const maxSorted = 2_000;

/**
 * A table of any length: only rows in view are in the page. Rows have one height, so that nothing is measured. Screen readers are told
 * the number and the index of the rows.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, rows, hasMore = false, onEnd, width = 52, selection } = props;
  const model = useTableModel(props);
  const { body, virtual, offset, lastIndex } = useVirtualRows(model);
  const mustLoad = hasMore && (lastIndex >= rows.length - 1 || (model.isSorted && rows.length < maxSorted));
  useEffect(() => {
    if (mustLoad) onEnd?.();
  }, [mustLoad, rows.length, onEnd]);
  const tracks = model.columns.map(({ column }) => column.width);
  const gridTemplateColumns = [...(selection ? [checkboxTrack] : []), ...tracks].join(' ');
  return (
    <div className={classes(styles.frame, width > usualWidth && styles.wide)}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        style={{ minWidth: `${width}rem` }}
      >
        <Head model={model} hasSelection={selection !== undefined} style={{ gridTemplateColumns }} />
        <div role="rowgroup" ref={body} className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <BodyRow
              key={key}
              number={index + 2}
              model={model}
              item={model.rows[index]!}
              hasSelection={selection !== undefined}
              style={{ gridTemplateColumns, height: rowHeight, transform: `translateY(${start - offset}px)` }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const checkboxTrack = '2.75rem';

type Model<T> = TableModel<T, VirtualColumn<T>>;

function useVirtualRows<T>({ rows }: Model<T>) {
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  // The distance from the top of the page changes with what is above, such as filters that wrap.
  useLayoutEffect(() => setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [rows.length]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]!.key,
  });
  return { body, virtual, offset, lastIndex: virtual.getVirtualItems().at(-1)?.index ?? -1 };
}

interface HeadProps<T> {
  model: Model<T>;
  hasSelection: boolean;
  style: CSSProperties;
}

const Head = <T,>({ model, hasSelection, style }: HeadProps<T>) => (
  <div role="rowgroup" className={styles.head}>
    <div role="row" aria-rowindex={1} className={styles.row} style={style}>
      {hasSelection && (
        <Cell role="columnheader">
          <AllRowsCheckbox all={model.all} />
        </Cell>
      )}
      {model.columns.map((head) => (
        <Cell key={head.column.title} role="columnheader" sort={ariaSortOf(head)} numeric={head.column.numeric}>
          <ColumnHead head={head} />
        </Cell>
      ))}
    </div>
  </div>
);

interface BodyRowProps<T> extends HeadProps<T> {
  item: ModelRow<T>;
  /** From 1, which is the head. */
  number: number;
}

const BodyRow = <T,>({ model, item, number, hasSelection, style }: BodyRowProps<T>) => (
  <div role="row" data-row aria-rowindex={number} className={styles.row} style={style}>
    {hasSelection && (
      <Cell role="cell">
        <RowCheckbox item={item} />
      </Cell>
    )}
    {model.columns.map(({ column }) => (
      <BodyCell key={column.title} column={column} row={item.row} />
    ))}
  </div>
);

/** Drawn again for another row or column only: rows that move stay as they are. */
const BodyCell = memo(<T,>({ column, row }: { column: VirtualColumn<T>; row: T }) => (
  <Cell role="cell" numeric={column.numeric}>
    {column.cell(row)}
  </Cell>
)) as <T>(props: { column: VirtualColumn<T>; row: T }) => ReactNode;

interface CellProps {
  role: 'columnheader' | 'cell';
  numeric?: boolean | undefined;
  sort?: 'ascending' | 'descending' | 'none' | undefined;
  children: ReactNode;
}

const Cell = ({ role, numeric, sort, children }: CellProps) => (
  <div role={role} aria-sort={sort} className={classes(styles.cell, numeric && styles.numeric)}>
    {children}
  </div>
);

/** Chooses a row; with Shift, all rows since the last one that was chosen. */
const RowCheckbox = ({ item: { isSelected, key, select } }: { item: ModelRow<unknown> }) => (
  <input type="checkbox" aria-label={`Choose ${key}`} checked={isSelected} onChange={select} />
);

/** Chooses all rows that are loaded, or none. */
const AllRowsCheckbox = ({ all }: { all: TableModel<unknown, unknown>['all'] }) => (
  <input
    type="checkbox"
    aria-label="Choose all"
    checked={all.isSelected}
    ref={(element) => {
      if (element) element.indeterminate = all.isPartlySelected && !all.isSelected;
    }}
    onChange={all.toggle}
  />
);
