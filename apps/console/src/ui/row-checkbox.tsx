import type { ModelRow, TableModel } from './table-model';

/** Chooses a row; with Shift, all rows since the last one that was chosen. */
export const RowCheckbox = ({ item: { isSelected, key, select } }: { item: ModelRow<unknown> }) => (
  <input type="checkbox" aria-label={`Choose ${key}`} checked={isSelected} onChange={select} />
);

/** Chooses all rows that are loaded, or none. */
export const AllRowsCheckbox = ({ all }: { all: TableModel<unknown, unknown>['all'] }) => (
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
