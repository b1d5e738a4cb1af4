import type { ReactNode } from 'react';
import { Button } from './button';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  /** Fields, in columns of one width. */
  children: ReactNode;
  /** Removes all filters; absent while there are none. */
  onClear?: (() => void) | undefined;
}

/** The filters of a list. */
export const FilterBar = ({ children, onClear }: FilterBarProps) => (
  <div className={styles.bar} role="group" aria-label="Filters">
    {children}
    {onClear && (
      <div>
        <Button variant="quiet" onPress={onClear}>
          Remove all filters
        </Button>
      </div>
    )}
  </div>
);
