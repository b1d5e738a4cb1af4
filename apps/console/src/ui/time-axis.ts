const longStepMs = 20 * 3_600_000;

/**
 * The labels of marks on an axis of time: the day where it begins, and times in between. Where clocks change between two marks, the zone
 * follows the time, because an hour may come twice.
 * @param zone default: that of the browser
 */
export function timeAxisLabels(zone?: string): (times: readonly number[]) => string[] {
  const options = { hourCycle: 'h23', timeZone: zone } as const;
  const day = new Intl.DateTimeFormat('en-GB', { ...options, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', { ...options, hour: '2-digit', minute: '2-digit' });
  const second = new Intl.DateTimeFormat('en-GB', { ...options, second: '2-digit' });
  const named = new Intl.DateTimeFormat('en-GB', { ...options, hour: '2-digit', timeZoneName: 'short' });
  const zoneAt = (ms: number) => named.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
  return (times) => {
    const hasDays = (times[1] ?? 0) - (times[0] ?? 0) >= longStepMs;
    return times.map((ms, i) => {
      const text = time.format(ms);
      const isMidnight = text === '00:00' && Number(second.format(ms)) === 0;
      if (hasDays || isMidnight) return day.format(ms);
      const before = times[i - 1];
      return before !== undefined && zoneAt(before) !== zoneAt(ms) ? `${text} ${zoneAt(ms)}` : text;
    });
  };
}
