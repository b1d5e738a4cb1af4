import { useMemo } from 'react';
import { type SearchRoute, useSearch } from '../app/use-search';
import { type ChartRange, periodWith } from './chart-range';
import { serverNow } from '../ui/server-time';
import type { ChosenCharts } from './charts-choice';
import type { Period } from './periods';

interface ChartSearch extends ChartRange {
  period?: Period | undefined;
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
  const { period: chosenPeriod = 'hour', from, to } = search;
  // The period has the part that is shown.
  const { period, range } = useMemo(() => {
    const shown = { from, to };
    return { range: shown, period: periodWith(chosenPeriod, shown, serverNow()) };
  }, [chosenPeriod, from, to]);
  return {
    shown: { period, range, compare: search.compare, onRange: ({ from, to }: ChartRange) => change({ from, to }) },
    choose: (chosen: ChosenCharts) => change(searchWith(range, chosen)),
  };
}
