import { ToggleChoice } from '../ui/toggle-choice';
import { type Period, periods } from './periods';

/** How far back the charts of a screen look. */
export const PeriodChoice = ({ value, onChange }: { value: Period; onChange(period: Period): void }) => (
  <ToggleChoice label="Period" value={value} choices={periods} onChange={onChange} />
);
