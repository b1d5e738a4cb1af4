import { seriesSchemas } from '@spooled/contracts';
import { keptSeries } from '@spooled/data-access';
import { badRequest } from '@spooled/domain';

const { seriesSteps, maxSeriesPoints } = seriesSchemas;
const presetPoints = 400;
const presetMs = 3_600_000;
const minuteMs = 60_000;

/** A period of whole steps, in milliseconds since 1970, and the kept step that it is read from. */
export interface SeriesPeriod {
  fromMs: number;
  toMs: number;
  stepMs: number;
  storedMs: number;
}

/**
 * The period of a request. Steps that lie in the future or have not ended are left out.
 * @param now the database's time, milliseconds
 * @throws SpooledError 400 for an empty period or too many points
 */
export function periodOf(query: seriesSchemas.SeriesQuery, now: number): SeriesPeriod {
  const { from, to } = boundsOf(query, now);
  const stepMs = (query.step ?? presetStep(from, to, now)) * 1_000;
  const fromMs = floorTo(from, stepMs);
  const toMs = Math.max(fromMs, floorTo(Math.min(to, now), stepMs));
  const points = (floorTo(to, stepMs) - fromMs) / stepMs;
  if (points > maxSeriesPoints) {
    throw badRequest(`The period has ${points} steps, and at most ${maxSeriesPoints} are sent: choose a longer step`);
  }
  return { fromMs, toMs, stepMs, storedMs: partOf(stepMs / 1_000).stepSeconds * 1_000 };
}

/**
 * Where a period begins and ends, in milliseconds since 1970; preset: the last hour.
 * @param now the database's time, milliseconds
 * @throws SpooledError 400 for an empty period
 */
export function boundsOf(query: Pick<seriesSchemas.SeriesQuery, 'from' | 'to'>, now: number) {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - presetMs : Date.parse(query.from);
  if (from >= to) throw badRequest('from must be before to');
  return { from, to };
}

/**
 * The minute before a moment.
 * @param now the database's time, milliseconds
 * @throws SpooledError 400 for a moment in the future or more than 60 minutes ago
 */
export function minuteBefore(at: string, now: number): SeriesPeriod {
  const [{ stepSeconds }] = keptSeries;
  const storedMs = stepSeconds * 1_000;
  const moment = Date.parse(at);
  if (moment > now) throw badRequest('at must not be in the future');
  if (now - moment > presetMs) throw badRequest('at must be within the last 60 minutes');
  const toMs = floorTo(moment, storedMs);
  return { fromMs: toMs - minuteMs, toMs, stepMs: minuteMs, storedMs };
}

/** The shortest step whose parts are kept from `from` on and that fits the points, else the longest. Seconds. */
function presetStep(from: number, to: number, now: number): number {
  const isKept = (step: number) => now - from <= partOf(step).keptSeconds * 1_000;
  const fits = (step: number) => (to - from) / 1_000 / step <= presetPoints;
  return seriesSteps.find((step) => isKept(step) && fits(step)) ?? seriesSteps.at(-1)!;
}

/** The longest kept step that a step consists of. */
const partOf = (step: number) => keptSeries.findLast(({ stepSeconds }) => stepSeconds <= step) ?? keptSeries[0];

const floorTo = (time: number, stepMs: number): number => Math.floor(time / stepMs) * stepMs;
