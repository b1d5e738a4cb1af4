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

/** Those that lie in the range. */
export const within = <T extends { at: string }>(rows: readonly T[], { from, to }: ChartRange): T[] =>
  rows.filter(
    ({ at }) =>
      (from === undefined || Date.parse(at) >= Date.parse(from)) &&
      (to === undefined || Date.parse(at) < Date.parse(to)),
  );
