import { Inject, Injectable } from '@nestjs/common';
import type { consoleSchemas as schemas } from '@spooled/contracts';
import {
  ApiKeyAuthenticator,
  bindConsoleCode,
  createConsoleLogin,
  Database,
  deleteAdministratorSession,
  findAdministratorSession,
  findOrganization,
  insertAdministratorSession,
  lookupOf,
  takeConsoleCode,
  type ApiKeyIdentity,
} from '@spooled/data-access';
import { accessDenied, authenticationFailed, notFound, SpooledError } from '@spooled/domain';
import { newId, SERVICE, SETTINGS } from '@spooled/platform';
import { AccessTokens, Authenticator, RevokedSessions, TokenAuthenticator, type Principal } from '@spooled/service';
import { isAdminKey } from '../auth/admin-key.js';
import type { ConsoleSession } from '../auth/console-session.js';
import { PeopleService, type SignedInPerson } from './people.service.js';
import type { GatewayService, GatewaySettings } from '../gateway.config.js';

export const sessionSeconds = 12 * 3600;
/** Lifetime of the code in a login link, and of a browser's right to use it. */
export const codeSeconds = 600;

const iso = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

const refused = (): SpooledError => authenticationFailed('The credential is invalid or has expired');

/** The credential in the body failed, not that of the request. */
const failed = (error: unknown): never => {
  throw error instanceof SpooledError && error.status === 401 ? refused() : error;
};

/** Secrets of the browser from its cookies. */
export interface BrowserSecrets {
  /** From `previewLink`, which a code needs. */
  browser?: string;
  /** From `PeopleService.begin`, which a callback needs. */
  signIn?: string;
}

/** A session and the token for its cookie. */
export interface OpenedSession {
  token: string;
  session: ConsoleSession;
}

/** Sessions of the browser console (BX-24): access tokens of an API key, or tokens of the administrator. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly reader: TokenAuthenticator,
    private readonly authenticator: Authenticator,
    private readonly keys: ApiKeyAuthenticator,
    private readonly revoked: RevokedSessions,
    private readonly database: Database,
    private readonly people: PeopleService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(SERVICE) private readonly service: GatewayService,
  ) {}

  /**
   * @returns a new session and the token for its cookie
   * @throws SpooledError 401 AUTHENTICATION_FAILED, 403 for a person without a group that may sign in, 503
   */
  async open(body: schemas.OpenSessionBody, secrets: BrowserSecrets): Promise<OpenedSession> {
    if (body.admin_key !== undefined) return this.openAdministrator(body.admin_key);
    const { identity, ...whose } = await this.identify(body, secrets);
    const { organizationId, apiKeyId, queues } = identity;
    const subject = { organizationId, apiKeyId, queues, sessionId: newId(), ...whose, console: true };
    const token = await this.tokens.issue('access', subject, sessionSeconds);
    return { token, session: { kind: 'organization', token } };
  }

  /** The session of a cookie of the administrator; null if this is no such cookie or the session has ended. @throws SpooledError 503 */
  async findAdministrator(token: string): Promise<ConsoleSession | null> {
    const { ADMIN_API_KEY: adminKey } = this.settings;
    if (adminKey === undefined) return null;
    const claims = await this.tokens.readAdministrator(token, adminKey).catch(() => null);
    if (!claims) return null;
    const { sid: sessionId, exp: expiresAt } = claims;
    const [open] = await this.database.asSystem('check an administrator session', (tx) =>
      tx.run(findAdministratorSession, { sessionId }),
    );
    return open ? { kind: 'administrator', sessionId, expiresAt } : null;
  }

  /** @throws SpooledError 401 when the session has ended, 503 */
  async describe(session: ConsoleSession): Promise<schemas.Session> {
    const { CONSOLE_TRACE_URL: trace_url = null, CONSOLE_REFRESH_MS: refresh_ms } = this.settings;
    const ofServer = { version: this.service.version, trace_url, refresh_ms };
    if (session.kind === 'administrator') {
      const expires_at = iso(session.expiresAt);
      return {
        id: session.sessionId,
        kind: session.kind,
        organization: null,
        api_key: null,
        person: null,
        organizations: [],
        role: 'admin',
        expires_at,
        ...ofServer,
      };
    }
    const { identity, claims } = await this.reader.authenticate(session.token);
    const find = (id: string) => this.database.withTenant(id, findOrganization);
    const found = await find(identity.organizationId);
    if (!found) throw notFound('Organization');
    const others = await Promise.all((claims.organizations ?? []).map(find));
    return {
      id: claims.sid,
      kind: session.kind,
      organization: { id: found.id, name: found.name, slug: found.slug, plan_tier: found.plan_tier },
      api_key: { id: identity.apiKeyId, name: identity.name, queues: identity.queues ?? [] },
      person: claims.person ?? null,
      organizations: others.flatMap((one) =>
        one && one.plan_tier !== 'deleted' ? [{ id: one.id, name: one.name, slug: one.slug }] : [],
      ),
      role: identity.role,
      expires_at: iso(claims.exp),
      ...ofServer,
    };
  }

  /** Ends the session in every process. @throws SpooledError 503 when that cannot be stored */
  async end(session: ConsoleSession): Promise<void> {
    if (session.kind === 'administrator') {
      const { sessionId } = session;
      return void (await this.database.asSystem('end an administrator session', (tx) =>
        tx.run(deleteAdministratorSession, { sessionId }),
      ));
    }
    const { org_id, sid, jti, exp } = await this.tokens.read(session.token);
    const seconds = Math.max(1, Math.ceil(exp - Date.now() / 1000));
    const tokens = [{ tokenId: jti, seconds }];
    await this.revoked.revoke({ organizationId: org_id, sessionId: sid, sessionSeconds: seconds, tokens });
  }

  /** @throws SpooledError 403 for a session, which could otherwise prolong itself without end */
  async createLoginLink({ organizationId, apiKeyId, session }: Principal): Promise<schemas.LoginLink> {
    if (session) throw accessDenied('A login link requires an API key');
    const { code, expiresAt } = await this.database.withTenant(organizationId, (tx) =>
      createConsoleLogin(tx, apiKeyId, codeSeconds),
    );
    // Browsers do not send the fragment, so the code is in no log of a server.
    return { code, path: `/console/login#code=${code}`, expires_at: expiresAt };
  }

  /**
   * Says which organization a login link belongs to, and binds the link to the browser that asks: nobody is signed in to an organization
   * that the browser has not shown. @throws SpooledError 401 AUTHENTICATION_FAILED, 503
   */
  async previewLink(code: string): Promise<{ browser: string; preview: schemas.LoginPreview }> {
    const bound = await bindConsoleCode(this.database, code);
    if (!bound) throw refused();
    const { organizationId, name, role } = await this.keys.authenticateById(bound.apiKeyId).catch(failed);
    const organization = await this.database.withTenant(organizationId, findOrganization);
    if (!organization) throw refused();
    const named = { name: organization.name, slug: organization.slug };
    const preview = { organization: named, api_key: { name }, role, expires_at: bound.expiresAt };
    return { browser: bound.browser, preview };
  }

  private async openAdministrator(given: string): Promise<OpenedSession> {
    const { ADMIN_API_KEY: adminKey } = this.settings;
    if (adminKey === undefined || !isAdminKey(given, adminKey)) throw refused();
    const sessionId = newId();
    await this.database.asSystem('open an administrator session', (tx) =>
      tx.run(insertAdministratorSession, { sessionId, seconds: sessionSeconds }),
    );
    const { token, expiresAt } = await this.tokens.issueAdministrator(sessionId, adminKey, sessionSeconds);
    return { token, session: { kind: 'administrator', sessionId, expiresAt } };
  }

  private async identify(
    { api_key, code, callback }: schemas.OpenSessionBody,
    { browser, signIn }: BrowserSecrets,
  ): Promise<Identified> {
    if (callback !== undefined) return this.people.finish(callback, signIn);
    const found = api_key === undefined ? this.ofCode(code!, browser) : this.authenticator.ofApiKey(api_key);
    return { identity: await found.catch(failed) };
  }

  private async ofCode(code: string, browser: string | undefined): Promise<ApiKeyIdentity> {
    const apiKeyId = browser === undefined ? null : await takeConsoleCode(this.database, code, browser);
    if (apiKeyId === null) throw refused();
    return this.keys.authenticateById(apiKeyId);
  }
}

/** Whom a credential in the body names. */
interface Identified {
  identity: Pick<ApiKeyIdentity, 'organizationId' | 'apiKeyId' | 'queues'>;
  person?: SignedInPerson['person'];
  organizations?: SignedInPerson['organizations'];
}

/** What the limit of logins with one credential counts by; null for one that no limit needs, such as a random code. */
export const loginSubject = ({ api_key }: schemas.OpenSessionBody): string | null =>
  api_key === undefined ? null : lookupOf(api_key);
