import { randomUUID } from 'node:crypto';
import { gatewayRoutes } from '../api-description.js';
import { type RestAttack, type Request, requestsFor, send, toldByDesign } from './attack-rest.js';
import type { Findings } from './findings.js';
import { Twins } from './references.js';

/** With this many of each kind in a sample a chance of 0.62 in place of 0.5 that one kind is slower is noticed. */
const answersByDefault = 300;
/** Standard deviations from chance. That two samples of 150 routes are both that far off by chance happens once in 10^11 runs. */
const limit = 5;

/**
 * Asks for what the victim has and for what nobody has, in random order, and compares how long the answers take that are the same
 * otherwise. A difference of two samples is a leak. Smaller ones, such as the read of a row that row-level security hides, are beyond what
 * this many answers show.
 */
export async function attackTimes(attack: RestAttack, findings: Findings, answers = answersByDefault): Promise<void> {
  const twins = new Twins(attack.victim);
  const [caller, credential] = Object.entries(attack.callers)[0]!;
  for (const route of gatewayRoutes().filter(({ path }) => attack.only?.test(path) ?? true)) {
    if (toldByDesign.some((path) => route.path.startsWith(path))) continue;
    for (const own of requestsFor(attack, route)) {
      const other = { ...own, path: twins.of(own.path), body: own.body && twins.of(own.body) };
      const isNamed = other.path !== own.path;
      if (own.headers || !isNamed) continue;
      // Both, whatever the first one answers: what one of them creates would make its later answers take longer.
      const findsNothing = [
        await isWithoutEffect(attack, credential, own),
        await isWithoutEffect(attack, credential, other),
      ];
      if (findsNothing.includes(false)) continue;
      findings.count(`REST, time of the answer to ${caller}`);
      const difference = () => compareTimes([own, other], answers, (request) => timeOf(attack, credential, request));
      const first = await difference();
      if (Math.abs(first) < limit) continue;
      const second = await difference();
      if (Math.abs(second) >= limit && Math.sign(first) === Math.sign(second))
        findings.leak(
          `REST: ${route.method} ${route.path} answers ${first > 0 ? 'later' : 'sooner'} about what exists`,
        );
    }
  }
}

/** Nothing is found, so it may be repeated. */
async function isWithoutEffect(attack: RestAttack, credential: string | null, request: Request): Promise<boolean> {
  const { status } = await send(attack.baseUrl, credential, request);
  return status === 404 || (status === 200 && request.method === 'GET');
}

async function timeOf({ baseUrl }: RestAttack, credential: string | null, request: Request): Promise<number> {
  const sent = { ...request, body: request.path.endsWith('/progress') ? ofNewWorker(request.body) : request.body };
  const startedAt = performance.now();
  const { status, text } = await send(baseUrl, credential, sent);
  const ms = performance.now() - startedAt;
  if (status === 429 || status >= 500) throw new Error(`${request.method} ${request.path}: ${status} ${text}`);
  return ms;
}

/** A second report of one worker and lease waits until a second has passed since the first, whatever it names. */
const ofNewWorker = (body = ''): string => body.replace(/("worker_id":)"[^"]*"/, `$1"${randomUUID()}"`);

/** By how many standard deviations answers to the first take longer than those to the second, from their ranks (Mann and Whitney). */
async function compareTimes<T>(
  [first, second]: readonly [T, T],
  answers: number,
  time: (kind: T) => Promise<number>,
): Promise<number> {
  const times: { kind: T; ms: number }[] = [];
  for (let pair = 0; pair < answers; pair++) {
    for (const kind of Math.random() < 0.5 ? [first, second] : [second, first])
      times.push({ kind, ms: await time(kind) });
  }
  times.sort((a, b) => a.ms - b.ms);
  const ranks = times.reduce((sum, { kind }, i) => sum + (kind === first ? i + 1 : 0), 0);
  const above = ranks - (answers * (answers + 1)) / 2;
  return (above - answers ** 2 / 2) / Math.sqrt((answers ** 2 * (2 * answers + 1)) / 12);
}
