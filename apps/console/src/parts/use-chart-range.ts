import { useMemo } from 'react';
import { type SearchRoute, useSearch } from '../app/use-search';
import { type ChartRange, periodWith } from './chart-range';
import { serverNow } from '../ui/server-time';
import type { ChosenCharts } from './charts-choice';
import type { Period } from './periods';

interface ChartSearch extends ChartRange {
  period?: Period | undefined;
}

/** The part of the period that an address shows, and the period, which has that part. */
function useChartRange({ period = 'hour', from, to }: ChartSearch): { period: Period; range: ChartRange } {
  return useMemo(() => {
    const range = { from, to };
    return { range, period: periodWith(period, range, serverNow()) };
  }, [period, from, to]);
}

/** What another choice changes in an address: a shorter period drops the part that it does not have. */
const searchWith = (range: ChartRange, chosen: ChosenCharts): ChosenCharts & ChartRange =>
  periodWith(chosen.period, range, serverNow()) === chosen.period
    ? chosen
    : { ...chosen, from: undefined, to: undefined };

interface ChartsSearch extends ChartSearch {
  compare?: ChosenCharts['compare'];
}

/** The charts as the address shows them, with what changes it. */
export function useCharts<Search extends ChartsSearch>(route: SearchRoute<Search>) {
  const [search, change] = useSearch<ChartsSearch>(route as unknown as SearchRoute<ChartsSearch>);
  const { period, range } = useChartRange(search);
  return {
    shown: { period, range, compare: search.compare, onRange: ({ from, to }: ChartRange) => change({ from, to }) },
    choose: (chosen: ChosenCharts) => change(searchWith(range, chosen)),
  };
}
