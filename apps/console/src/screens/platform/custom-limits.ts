/** Limits that hold for one organization in place of its plan's, by the names of the API. */
export type CustomLimits = Record<string, unknown>;

/** Limits against a flood, with what they are called. */
export const floodLimits = [
  { name: 'rate_limit_requests_per_second', label: 'Requests per second' },
  { name: 'rate_limit_burst', label: 'Requests in a burst' },
  { name: 'max_jobs_per_day', label: 'Jobs per day' },
] as const;

export type FloodLimit = (typeof floodLimits)[number]['name'];
export type LimitTexts = Record<FloodLimit, string>;

/** What the fields show: the organization's own limits; empty where its plan's hold. */
export const textsOf = (limits: CustomLimits | null): LimitTexts =>
  Object.fromEntries(
    floodLimits.map(({ name }) => [name, typeof limits?.[name] === 'number' ? String(limits[name]) : '']),
  ) as LimitTexts;

/** The organization's limits with those of edited fields; an emptied field means that of the plan. */
export function withTexts(limits: CustomLimits | null, edited: Partial<LimitTexts>): CustomLimits {
  const changed = { ...limits };
  for (const { name } of floodLimits) {
    const text = edited[name];
    if (text === undefined) continue;
    if (text === '') delete changed[name];
    else changed[name] = Number(text);
  }
  return changed;
}
