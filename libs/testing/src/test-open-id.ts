import { parseSetCookie } from 'cookie';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';

const consoleOfSpecs = 'http://console.test/console/login';
const kid = 'spec';
const client = { clientId: 'spooled-console', clientSecret: 'the secret of the console at the provider' };

const listen = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const newKey = async () => (await generateKeyPair('RS256', { extractable: true })).privateKey;

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Accepts requests and never answers. */
export async function startSilentServer(): Promise<{ url: string; close(): void }> {
  const server = createServer(() => undefined);
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, close: () => void (server.close(), server.closeAllConnections()) };
}

/** Settings of a gateway with this provider. */
export const openIdEnv = (issuer: string, groups: string, redirectUrl = consoleOfSpecs): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.clientId,
  OIDC_CLIENT_SECRET: client.clientSecret,
  OIDC_REDIRECT_URL: redirectUrl,
  OIDC_SCOPES: 'openid profile groups',
  OIDC_GROUPS: groups,
});

/** An OpenID Connect provider on a local port, with one person at its browser. */
export class TestOpenIdProvider {
  person: JWTPayload = {};
  /** Changes claims of ID tokens before the provider signs them. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Where it sends browsers back to, before its first request. */
  redirectUrl = consoleOfSpecs;
  /** Breaks every connection. */
  isDown = false;
  /** Signs ID tokens in place of the provider's key. */
  forgersKey: CryptoKey | undefined;

  private handler: Promise<ReturnType<Provider['callback']>> | undefined;

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly key: CryptoKey,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response));
  }

  /** @param host a name of this machine; `localhost` is another site than `127.0.0.1` */
  static async start(port = 0, host = '127.0.0.1'): Promise<TestOpenIdProvider> {
    const server = createServer();
    const issuer = `http://${host}:${await listen(server, port)}`;
    return new TestOpenIdProvider(issuer, server, await newKey());
  }

  /** Signs the person in as a browser does. @returns the query with which the browser is sent back */
  async visit(url: string, person: JWTPayload): Promise<string> {
    this.person = person;
    const cookies = new Map<string, string>();
    let address = url;
    while (!address.startsWith(this.redirectUrl)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const header of response.headers.getSetCookie()) {
        const { name, value } = parseSetCookie(header);
        cookies.set(name, value ?? '');
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${address}: ${response.status} ${await response.text()}`);
      address = new URL(location, address).href;
    }
    return new URL(address).search.slice(1);
  }

  async useForgersKey(): Promise<void> {
    this.forgersKey = await newKey();
  }

  reset(): void {
    this.isDown = false;
    this.forge = undefined;
    this.forgersKey = undefined;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.destroy();
    this.handler ??= this.open();
    await (
      await this.handler
    )(request, response);
  }

  private async open(): Promise<ReturnType<Provider['callback']>> {
    const { clientId, clientSecret } = client;
    // Few specs need it.
    const { default: OpenIdProvider } = await import('oidc-provider');
    const provider: Provider = new OpenIdProvider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [this.redirectUrl] }],
      claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      jwks: { keys: [{ ...(await exportJWK(this.key)), kid, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['spec'] },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...this.person, sub: accountId }) }),
      // Everybody has agreed to everything.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({ clientId, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid profile groups');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && body?.id_token) body.id_token = await this.sign(body.id_token);
    });
    const answer = provider.callback();
    return async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response);
      const login = { accountId: this.person.sub! };
      await provider.interactionFinished(request, response, { login });
    };
  }

  private async sign(idToken: string): Promise<string> {
    if (!this.forge && !this.forgersKey) return idToken;
    const claims = decodeJwt(idToken);
    const forged = new SignJWT(this.forge?.(claims) ?? claims).setProtectedHeader({ alg: 'RS256', kid });
    return forged.sign(this.forgersKey ?? this.key);
  }
}
