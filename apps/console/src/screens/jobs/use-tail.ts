import { useEffect, useMemo, useRef, useState } from 'react';
import { live } from '../../api/query-client';
import type { JobsSearch } from './jobs-search';
import { type TailEvent, tailEvent, tailFilter } from './tail-events';
import { TailSample } from './tail-sample';

export interface Tail {
  rows: TailSample<TailEvent>['rows'];
  leftOut: number;
  /** How many have come since the tail was paused. */
  missed: number;
  clear(): void;
}

/** The events that match, from the one stream of the page, drawn four times per second at most. Other filters begin another tail. */
export function useTail({ queue, search, status }: JobsSearch, isPaused: boolean): Tail {
  const [, draw] = useState(0);
  const paused = useRef(isPaused);
  const tail = useMemo(
    () => ({ sample: new TailSample<TailEvent>(), matches: tailFilter({ queue, search, status }), missed: 0 }),
    [queue, search, status],
  );
  useEffect(() => {
    paused.current = isPaused;
    if (!isPaused) tail.missed = 0;
    draw((count) => count + 1);
  }, [isPaused, tail]);
  useEffect(() => {
    let drawnMissed = 0;
    const stop = live.observe((event) => {
      const shown = tailEvent(event);
      if (!shown || !tail.matches(shown)) return;
      if (paused.current) tail.missed++;
      else tail.sample.add(shown);
    });
    const timer = setInterval(() => {
      const hasChanged = tail.sample.flush(performance.now());
      if (hasChanged || tail.missed !== drawnMissed) draw((count) => count + 1);
      drawnMissed = tail.missed;
    }, TailSample.windowMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [tail]);
  const clear = () => {
    tail.sample.clear();
    draw((count) => count + 1);
  };
  return { rows: tail.sample.rows, leftOut: tail.sample.leftOut, missed: tail.missed, clear };
}
