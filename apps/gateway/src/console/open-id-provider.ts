import { authenticationFailed, type SpooledError, unavailable } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import * as client from 'openid-client';
import type { OpenIdOptions } from './open-id.config.js';

/** What the browser must bring back from the provider. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

/** Who signed in at the provider. */
export interface Person {
  subject: string;
  name: string;
  groups: string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** As long as names of actors. */
const longestName = 100;
const clockToleranceSeconds = 5;
/** Refusals of one sign-in by the provider. Others, such as `invalid_client`, concern every sign-in. */
const refusals = new Set([
  'invalid_grant',
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
]);
/** Responses that the library received and refuses, of a person or a forger. */
const invalidTokens = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** Authorization code flow with PKCE, state and nonce at the provider of the settings. */
export class OpenIdProvider {
  /** Absent before the first sign-in and after a failed discovery; shared by sign-ins at the same time. */
  private discovery: Promise<client.Configuration> | undefined;

  constructor(
    readonly options: OpenIdOptions,
    private readonly logger: AppLogger,
  ) {}

  /** @returns the page of the provider, and what the browser must keep. @throws SpooledError 503 */
  async begin(): Promise<{ url: string; attempt: SignInAttempt }> {
    const config = await this.discover();
    const verifier = client.randomPKCECodeVerifier();
    const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: this.options.redirectUrl.href,
      scope: this.options.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
    });
    return { url: url.href, attempt };
  }

  /**
   * @param callback query of the address to which the provider sent the browser
   * @throws SpooledError 401 unless the provider confirms the attempt, 503
   */
  async finish(callback: string, { state, nonce, verifier }: SignInAttempt): Promise<Person> {
    const config = await this.discover();
    const address = new URL(this.options.redirectUrl);
    address.search = callback;
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const tokens = await client.authorizationCodeGrant(config, address, checks);
      const claims: Claims = tokens.claims()!;
      return this.personOf(await this.withGroups(config, tokens.access_token, claims));
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Many providers put groups only into the UserInfo response. */
  private async withGroups(config: client.Configuration, accessToken: string, claims: Claims): Promise<Claims> {
    if (claims[this.options.groupsClaim] !== undefined || !config.serverMetadata().userinfo_endpoint) return claims;
    return { ...(await client.fetchUserInfo(config, accessToken, claims.sub as string)), ...claims };
  }

  private personOf(claims: Claims): Person {
    const subject = claims.sub as string;
    const names = [claims.name, claims.preferred_username, claims.email].filter(isText);
    const groups = [claims[this.options.groupsClaim] ?? []].flat().filter(isText);
    return {
      subject,
      name: Array.from(names[0] ?? subject)
        .slice(0, longestName)
        .join(''),
      groups,
    };
  }

  private discover(): Promise<client.Configuration> {
    this.discovery ??= this.readMetadata().catch((error: unknown) => {
      this.discovery = undefined;
      throw this.outage(error);
    });
    return this.discovery;
  }

  private readMetadata(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, timeoutSeconds } = this.options;
    // Not in production: see openIdOptions.
    const plain = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: clockToleranceSeconds };
    return client.discovery(issuer, clientId, metadata, client.ClientSecretBasic(clientSecret), {
      timeout: timeoutSeconds,
      // The library trusts TLS instead of the signature of an ID token without this.
      execute: [...plain, client.enableNonRepudiationChecks],
    });
  }

  private failure(error: unknown): SpooledError {
    const { code, error: refusal } = error as { code?: string; error?: string };
    const isRefusal = refusal !== undefined ? refusals.has(refusal) : invalidTokens.has(code ?? '');
    if (!isRefusal) return this.outage(error);
    this.logger.warn({ err: error }, 'sign-in at the OpenID Connect provider was refused');
    return authenticationFailed('The provider did not confirm this sign-in; begin again');
  }

  private outage(error: unknown): SpooledError {
    this.logger.error({ err: error, issuer: this.options.issuer.href }, 'OpenID Connect provider failed');
    return unavailable(`The OpenID Connect provider ${this.options.issuer.host}`, 1, error);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
