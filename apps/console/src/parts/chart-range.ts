import { type Period, periods } from './periods';

/** A part of the period of charts, ISO 8601; absent = open. */
export interface ChartRange {
  from?: string | undefined;
  to?: string | undefined;
}

const minuteMs = 60_000;

/** What was chosen with the mouse, in whole minutes, because the fields beside the charts show minutes. */
export const rangeOf = (fromMs: number, toMs: number): ChartRange => ({
  from: new Date(Math.floor(fromMs / minuteMs) * minuteMs).toISOString(),
  to: new Date(Math.ceil(toMs / minuteMs) * minuteMs).toISOString(),
});

export const isOpen = ({ from, to }: ChartRange): boolean => from === undefined && to === undefined;

/** Whether nothing can lie in it. */
export const isEmptyRange = ({ from, to }: ChartRange): boolean =>
  from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to);

/** The shortest period that is no shorter than the chosen one and that has the range, as far as charts go back. */
export function periodWith(period: Period, { from, to }: ChartRange, nowMs: number): Period {
  const first = from ?? to;
  if (first === undefined) return period;
  const longer = periods.slice(periods.findIndex(({ value }) => value === period));
  return (longer.find(({ ms }) => nowMs - ms <= Date.parse(first)) ?? longer.at(-1)!).value;
}

/** Those that lie in the range. */
export const within = <T extends { at: string }>(rows: readonly T[], { from, to }: ChartRange): T[] =>
  rows.filter(
    ({ at }) =>
      (from === undefined || Date.parse(at) >= Date.parse(from)) &&
      (to === undefined || Date.parse(at) < Date.parse(to)),
  );
