import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  type Row,
  rowSelectionFeature,
  type RowSelectionState,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';

export interface TableColumn<T> {
  /** The heading, by which the column is known. */
  title: string;
  numeric?: boolean;
  cell: (row: T) => ReactNode;
  /** What rows are sorted by; absent: the column does not sort. */
  value?: (row: T) => SortValue;
}

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

type Features = typeof features;

export interface TableModelOptions<T, C extends TableColumn<T>> {
  columns: readonly C[];
  /** In the order that they have while no column sorts. */
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Titles of columns that do not show. */
  hidden?: readonly string[];
  /** Keys of chosen rows. Absent: rows cannot be chosen. */
  selection?: Selection | undefined;
}

export interface Selection {
  keys: readonly string[];
  onChange(keys: string[]): void;
}

export interface ModelColumn<C> {
  column: C;
  /** Absent: it does not sort. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; toggle(): void };
}

export interface ModelRow<T> {
  row: T;
  key: string;
  isSelected: boolean;
  /** Takes the click on its checkbox: with Shift, it changes all rows since the last one. */
  select(event: unknown): void;
}

export interface TableModel<T, C> {
  columns: readonly ModelColumn<C>[];
  rows: readonly ModelRow<T>[];
  /** Whether a column sorts, so that the order of the rows given does not count. */
  isSorted: boolean;
  all: { isSelected: boolean; isPartlySelected: boolean; toggle(): void };
}

/** What tables have in common: order, hidden columns and chosen rows. How they look is up to the component. */
export function useTableModel<T, C extends TableColumn<T>>(options: TableModelOptions<T, C>): TableModel<T, C> {
  const { columns, rows, rowKey, hidden, selection } = options;
  const [sorting, setSorting] = useState<SortingState>([]);
  const definitions = useMemo(() => columns.map((column) => definitionOf<T>(column)), [columns]);
  const rowSelection = useMemo(() => flagsOf(selection?.keys ?? [], true), [selection?.keys]);
  const columnVisibility = useMemo(() => flagsOf(hidden ?? [], false), [hidden]);
  const table = useTable<Features, Entry<T>>({
    features,
    columns: definitions,
    data: useMemo(() => rows.map((row) => ({ row })), [rows]),
    getRowId: ({ row }) => rowKey(row),
    state: { sorting, rowSelection, columnVisibility },
    onSortingChange: setSorting,
    onRowSelectionChange: (update) => selection?.onChange(chosenOf(update, rowSelection)),
  });
  return {
    columns: columns
      .filter(({ title }) => !hidden?.includes(title))
      .map((column) => headOf<T, C>(column, sorting, setSorting)),
    rows: table.getRowModel().rows.map(rowOf),
    isSorted: sorting.length > 0,
    all: {
      isSelected: table.getIsAllRowsSelected(),
      isPartlySelected: table.getIsSomeRowsSelected(),
      toggle: () => table.toggleAllRowsSelected(),
    },
  };
}

/** The library wants objects as rows. */
interface Entry<T> {
  row: T;
}

const flagsOf = <V extends boolean>(keys: readonly string[], value: V): Record<string, V> =>
  Object.fromEntries(keys.map((key) => [key, value]));

function chosenOf(update: Updater<RowSelectionState>, before: RowSelectionState): string[] {
  const after = typeof update === 'function' ? update(before) : update;
  return Object.keys(after).filter((key) => after[key]);
}

const definitionOf = <T>({ title, value }: TableColumn<T>): ColumnDef<Features, Entry<T>> => ({
  id: title,
  accessorFn: ({ row }) => value?.(row) ?? undefined,
  enableSorting: value !== undefined,
  // Rows without a value stay last in both directions.
  sortUndefined: 'last',
  sortFn: (one, other, id) => compareValues(one.getValue<SortValue>(id), other.getValue<SortValue>(id)),
});

/** Numbers begin with the largest, texts with A; the third press returns to the order of the rows. */
function headOf<T, C extends TableColumn<T>>(
  column: C,
  sorting: SortingState,
  change: (sorting: SortingState) => void,
): ModelColumn<C> {
  if (!column.value) return { column };
  const { title: id, numeric = false } = column;
  const present = sorting.find((one) => one.id === id);
  const next = !present ? [{ id, desc: numeric }] : present.desc === numeric ? [{ id, desc: !numeric }] : [];
  const direction = !present ? 'none' : present.desc ? 'descending' : 'ascending';
  return { column, sort: { direction, toggle: () => change(next) } };
}

const rowOf = <T>(row: Row<Features, Entry<T>>): ModelRow<T> => ({
  row: row.original.row,
  key: row.id,
  isSelected: row.getIsSelected(),
  select: row.getToggleSelectedHandler(),
});

/** Null and undefined: unknown. */
type SortValue = string | number | null | undefined;

const texts = new Intl.Collator('en', { numeric: true });

/** Numbers by size, texts as people read them: `job-9` before `job-10`. */
const compareValues = (one: SortValue, other: SortValue): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : texts.compare(String(one), String(other));
