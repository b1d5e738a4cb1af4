import { isUnknownHost, whyNoAnswer } from '@spooled/domain';
import { AuthenticationError, NetworkError, ServerError, Spooled, type SpooledError } from '@spooled/sdk';
import { type Finding, Findings, patienceMs } from './finding.js';

export interface GatewayCheck {
  findings: Finding[];
  /** Whether a gateway of Spooled answers, also one that is not healthy. */
  isUp: boolean;
}

/** Checks the gateway: reachable, healthy, and the key valid. */
export async function checkGateway(url: string, apiKey: string | undefined): Promise<GatewayCheck> {
  const found = new Findings('Gateway');
  const client = new Spooled({ baseUrl: url, apiKey, timeoutMs: patienceMs, retry: { retries: 0 } });
  const notUp = { findings: found.all, isUp: false };
  try {
    const health = await client.health.check();
    if (!health?.status || !health.version) {
      notSpooled(found, url);
      return notUp;
    }
    found.ok(`Spooled ${health.version} answers at ${url}`);
    if (!health.cache)
      found.warning(
        'The gateway reaches no Redis, so there are no live events and no shared rate limits',
        'start Redis, or correct REDIS_URL of the services',
      );
  } catch (error) {
    if (!(error instanceof ServerError)) {
      unreachable(found, url, error);
      return notUp;
    }
    found.problem(
      `The gateway at ${url} is not healthy (${error.status})`,
      'correct what is reported for PostgreSQL, or read its log',
    );
  }
  await checkKey(client, apiKey, found);
  return { findings: found.all, isUp: true };
}

function notSpooled(found: Findings, url: string): void {
  found.problem(`What answers at ${url} is no gateway of Spooled`, 'correct SPOOLED_URL, or stop the other program');
}

function unreachable(found: Findings, url: string, error: unknown): void {
  if (!(error instanceof NetworkError)) return notSpooled(found, url);
  const cause = deepest(error);
  const { host, hostname } = new URL(url);
  const why = whyNoAnswer(cause);
  if (isUnknownHost(cause)) found.problem(`The host "${hostname}" of SPOOLED_URL is unknown`, 'correct its name');
  else if (why)
    found.problem(`The gateway does not answer at ${host} (${why})`, 'start it (npm start), or correct SPOOLED_URL');
  // Something that speaks another protocol.
  else notSpooled(found, url);
}

async function checkKey(client: Spooled, apiKey: string | undefined, found: Findings): Promise<void> {
  if (!apiKey) return void found.skipped('There is no key to check: run "spooled login", or set SPOOLED_API_KEY');
  try {
    const [organization] = await client.organizations.list({ limit: 1 });
    found.ok(`The key is valid, for organization "${organization?.name}"`);
  } catch (error) {
    if (error instanceof AuthenticationError) {
      found.problem('The server refuses the key', 'run "spooled login" with another key, or correct SPOOLED_API_KEY');
    } else
      found.problem(`The key cannot be checked (${(error as SpooledError).message})`, 'correct what is reported above');
  }
}

function deepest(error: unknown): unknown {
  const { cause } = error as Error;
  return cause instanceof Error ? deepest(cause) : error;
}
