import { JobsLink } from './links';
import { Button } from '../ui/button';
import { TimeField } from '../ui/time-field';
import { type ChartRange, isEmptyRange, isOpen } from './chart-range';
import common from '../ui/common.module.css';
import styles from './series-charts.module.css';

interface ChartRangeFieldsProps {
  queue: string | undefined;
  range: ChartRange;
  onChange(range: ChartRange): void;
}

/** A part of the period, for those who do not draw it in a chart, and the jobs that were created in it. */
export const ChartRangeFields = ({ queue, range, onChange }: ChartRangeFieldsProps) => (
  <div className={styles.range} role="group" aria-label="Part of the period">
    <TimeField label="From" value={range.from} onChange={(from) => onChange({ ...range, from })} />
    <TimeField label="To" value={range.to} onChange={(to) => onChange({ ...range, to })} />
    <Button size="s" isDisabled={isOpen(range)} onPress={() => onChange({})}>
      Whole period
    </Button>
    <span className={common.muted} role="status">
      {isEmptyRange(range) ? (
        'From must be before To.'
      ) : isOpen(range) ? (
        'Or drag over a chart.'
      ) : (
        <JobsLink search={{ queue, after: range.from, before: range.to }} text="Jobs created then" />
      )}
    </span>
  </div>
);
