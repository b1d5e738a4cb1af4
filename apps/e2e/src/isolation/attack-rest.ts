import { randomInt, randomUUID } from 'node:crypto';
import { type DescribedRoute, gatewayRoutes } from '../api-description.js';
import { type Findings, markIn, type Victim } from './findings.js';
import { bodyNaming, referenceTo, requireKnown, Twins } from './references.js';

export interface RestAttack {
  baseUrl: string;
  victim: Victim;
  /** Credentials by what they are; null = none. */
  callers: Readonly<Record<string, string | null>>;
  /** Callers of which every route that needs a credential must know nothing. */
  gone: readonly string[];
  /** Callers whose keys are for some queues only. */
  scoped: readonly string[];
  /** Positions in the victim's lists, as its own requests got them. */
  cursors: readonly string[];
  /** The paths of a route with the victim's ids. @throws Error for a collection that nothing was created in */
  pathsOf(path: string): string[];
  dump(): Promise<string>;
  /** Sends a request of the victim, so that what is cached of it is cached. */
  warmUp(path: string): Promise<void>;
  /** Ends the attacker's operations, of which only some may be in progress. */
  endOperations(): Promise<void>;
  /** Only these routes; absent = all. */
  only?: RegExp;
  /** Only so many requests of each route and caller; absent = all. */
  mostRequests?: number | undefined;
  /** Every request by every caller, also where the code shows that they cannot differ. */
  everything?: boolean;
}

export interface Request {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Names that are unique over all organizations, so that they tell of others by what they are: a slug is part of an address, an email
 * address belongs to one person.
 */
export const toldByDesign = [
  '/api/v1/organizations/check-slug',
  '/api/v1/auth/check-email',
  '/api/v1/auth/email/check',
];

/**
 * Sends what the OpenAPI document describes: each route by each caller, with ids, names and positions of the victim in its path, query
 * and body, and with forged headers. No answer may have a mark; none may differ from that for names that nobody has; and
 * no row of the victim may change.
 */
export async function attackRest(attack: RestAttack, findings: Findings): Promise<void> {
  const twins = new Twins(attack.victim);
  const sent = new Set<string>();
  let before = await attack.dump();
  for (const route of ordered(gatewayRoutes()).filter(({ path }) => attack.only?.test(path) ?? true)) {
    if (route.method === 'GET') for (const path of attack.pathsOf(route.path)) await attack.warmUp(path);
    const requests = requestsFor(attack, route).slice(0, attack.mostRequests);
    for (const [i, [caller, credential]] of Object.entries(attack.callers).entries()) {
      // What a cursor says does not depend on the caller.
      const different = requests.filter(({ path }) => attack.everything || i === 0 || !isOfCursor(path));
      const wanted = isRefusedAtOnce(attack, route, caller) ? different.filter(isOfAdmission) : different;
      for (const request of wanted)
        await compare(attack, twins, { route, caller, credential, request, sent }, findings);
    }
    const after = await attack.dump();
    if (after !== before) findings.leak(`REST: ${route.method} ${route.path} changes rows of the victim`);
    before = after;
  }
}

/** Whether the credential is refused before the route reads what else the request has. */
const isRefusedAtOnce = ({ everything, gone, scoped }: RestAttack, route: DescribedRoute, caller: string): boolean =>
  !everything &&
  ((route.operation.security.length > 0 && gone.includes(caller)) ||
    (route.operation['x-unscoped'] === true && scoped.includes(caller)));

/** What may then make a difference: the first request, and the one with forged headers. */
const isOfAdmission = ({ headers }: Request, place: number): boolean => place === 0 || headers !== undefined;

const isOfCursor = (path: string): boolean => path.includes('cursor=');

/** Lists first, before the attacker's own data has any of these names, and deletions last. */
const ordered = (routes: DescribedRoute[]): DescribedRoute[] => routes.toSorted((a, b) => placeOf(a) - placeOf(b));
const placeOf = ({ method, path }: DescribedRoute): number =>
  method === 'DELETE' ? 2 : Number(method !== 'GET' || path.includes('{'));

export function requestsFor({ victim, cursors, pathsOf, everything }: RestAttack, route: DescribedRoute): Request[] {
  const { method, operation, path: template } = route;
  const body = bodyNaming(victim, route);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  for (const name of names) requireKnown(name, `${method} ${template}`);
  const query = new URLSearchParams();
  for (const name of names) {
    const value = referenceTo(name, victim);
    if (value !== undefined) query.set(name, [value].flat().join());
  }
  return pathsOf(template).flatMap((path, i) => [
    { method, path, body: text },
    // They are read before the path is.
    ...(everything || i === 0 ? [{ method, path, body: text, headers: forgedBy(victim) }] : []),
    ...(query.size > 0 ? [{ method, path: `${path}?${query}`, body: text }] : []),
    ...(names.includes('cursor')
      ? cursors.map((cursor) => ({ method, path: `${path}?cursor=${cursor}`, body: text }))
      : []),
  ]);
}

/** Headers by which a proxy or another product might say who calls. */
const forgedBy = ({ organizationId, name }: Victim): Record<string, string> => ({
  'x-organization-id': organizationId,
  'x-org-id': organizationId,
  'x-tenant-id': organizationId,
  'x-spooled-organization': organizationId,
  'x-forwarded-user': name,
  'x-user-id': name,
  'x-worker-id': name,
  'x-queue-name': name,
  'x-original-url': `/api/v1/organizations/${organizationId}`,
  'x-http-method-override': 'DELETE',
  'x-admin-key': 'a guess',
  cookie: `session=${organizationId}; organization=${organizationId}`,
});

interface Case {
  route: DescribedRoute;
  caller: string;
  credential: string | null;
  request: Request;
  /** Ids that earlier requests have sent: the attacker's own data may have them. */
  sent: Set<string>;
}

async function compare(
  attack: RestAttack,
  twins: Twins,
  { route, caller, credential, request, sent }: Case,
  findings: Findings,
): Promise<void> {
  findings.count(`REST, ${caller}`);
  if (request.method === 'POST') await attack.endOperations();
  const name = `REST: ${route.method} ${route.path}`;
  const answer = await send(attack.baseUrl, credential, request);
  const mark = markIn(answer.text, unsent(attack.victim, request, sent));
  if (mark) findings.leak(`${name} shows data of the victim (${mark.slice(0, 6)}…)`);
  const needsKey = route.operation.security.length > 0;
  if (needsKey && attack.gone.includes(caller) && answer.status !== 401)
    findings.leak(`${name} answers ${answer.status} to ${caller}`);
  if (toldByDesign.some((path) => route.path.startsWith(path)) || isOfCursor(request.path)) return;
  const twin = await send(attack.baseUrl, credential, {
    ...request,
    path: twins.of(request.path),
    body: request.body && twins.of(request.body),
    headers: request.headers && JSON.parse(twins.of(JSON.stringify(request.headers))),
  });
  const [own, other] = [answer, twin].map(({ status, text }) => `${status} ${twins.normalized(text)}`);
  if (own !== other) findings.leak(`${name} tells apart what exists: ${firstDifference(own!, other!)}`);
}

/** What no request has said so far. */
function unsent({ marks, ids }: Victim, { path, body = '', headers }: Request, sent: Set<string>): { marks: string[] } {
  const text = `${path} ${body} ${JSON.stringify(headers ?? {})}`;
  const all = Object.values(ids).flat();
  for (const id of all) if (text.includes(id)) sent.add(id);
  return { marks: [...marks, ...all.filter((id) => !sent.has(id))] };
}

/** What must be new, or is counted as an attempt, differs in each request. */
const fresh = (body: string | undefined): string | undefined =>
  body?.replaceAll(
    /"(slug|api_key|code|email|billing_email)":"m?[0-9a-f-]{36}/g,
    (_, name) => `"${name}":"m${randomUUID()}`,
  );

function firstDifference(a: string, b: string): string {
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  const from = Math.max(0, at - 20);
  return `${a.slice(from, from + 60)} or ${b.slice(from, from + 60)}`;
}

export async function send(
  baseUrl: string,
  credential: string | null,
  { method, path, body, headers }: Request,
): Promise<{ status: number; text: string }> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      'content-type': 'application/json',
      // Limits by address are none of what is tested.
      'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(1, 256)].join('.'),
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...headers,
    },
    body: fresh(body),
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
}
