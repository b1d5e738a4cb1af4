import type { Call, CallOptions, HttpClient } from '../http/http-client.js';
import type { AnyRoute, Body, ListQuery, Query, ResponseBody } from '../routes.js';

type OrganizationPage = Extract<ResponseBody<'GET /api/v1/admin/organizations'>, { total: number }>;

/** Administration of all organizations; needs the client's `adminKey`. */
export class Admin {
  constructor(
    private readonly http: HttpClient,
    /** Null: the cookie of an administrator's session identifies the caller. */
    private readonly adminKey: string | null | undefined,
  ) {}

  /** A page of all organizations, with the number of matches. */
  async organizations(
    query?: ListQuery<'GET /api/v1/admin/organizations'>,
    options?: CallOptions,
  ): Promise<OrganizationPage> {
    // Without a cursor the response has this form.
    const call = { ...options, query: query as Query<'GET /api/v1/admin/organizations'> };
    return (await this.call('GET /api/v1/admin/organizations', call)) as OrganizationPage;
  }

  organization(id: string, options?: CallOptions) {
    return this.call('GET /api/v1/admin/organizations/{id}', { ...options, params: { id } });
  }

  createOrganization(organization: Body<'POST /api/v1/admin/organizations'>, options?: CallOptions) {
    return this.call('POST /api/v1/admin/organizations', { ...options, body: organization });
  }

  /** Changes take effect at once. */
  updateOrganization(id: string, change: Body<'PATCH /api/v1/admin/organizations/{id}'>, options?: CallOptions) {
    const call = { idempotent: true, ...options, params: { id }, body: change };
    return this.call('PATCH /api/v1/admin/organizations/{id}', call);
  }

  /** Revokes its keys and keeps its data. */
  deleteOrganization(id: string, options?: CallOptions): Promise<void> {
    return this.call('DELETE /api/v1/admin/organizations/{id}', { ...options, params: { id } });
  }

  /** Deletes an organization with all of its data, also active jobs. This cannot be undone. */
  eraseOrganization(id: string, options?: CallOptions): Promise<void> {
    const call = { ...options, params: { id }, query: { hardDelete: true } };
    return this.call('DELETE /api/v1/admin/organizations/{id}', call);
  }

  /** Creates a key for an organization. The key is only in this response. */
  createApiKey(
    organizationId: string,
    key: Body<'POST /api/v1/admin/organizations/{id}/api-keys'>,
    options?: CallOptions,
  ) {
    const call = { ...options, params: { id: organizationId }, body: key };
    return this.call('POST /api/v1/admin/organizations/{id}/api-keys', call);
  }

  /** Resets today's job count. */
  resetUsage(organizationId: string, options?: CallOptions): Promise<void> {
    const call = { idempotent: true, ...options, params: { id: organizationId } };
    return this.call('POST /api/v1/admin/organizations/{id}/reset-usage', call);
  }

  /** The audit log of one organization or all of them, the newest first. */
  audit(query?: ListQuery<'GET /api/v1/admin/audit'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/admin/audit', { ...options, query, headers: this.headers });
  }

  stats(options?: CallOptions) {
    return this.call('GET /api/v1/admin/stats', options);
  }

  /** The services with their processes and versions. */
  services(options?: CallOptions) {
    return this.call('GET /api/v1/admin/services', options);
  }

  /** The organizations with the most jobs in the last minutes. */
  topTenants(query?: Query<'GET /api/v1/admin/tenants/top'>, options?: CallOptions) {
    return this.call('GET /api/v1/admin/tenants/top', { ...options, query });
  }

  /** What is used of the limits of PostgreSQL and Redis. */
  capacity(options?: CallOptions) {
    return this.call('GET /api/v1/admin/capacity', options);
  }

  /** The checks that tenants are isolated in the database, the newest first. */
  isolationChecks(query?: ListQuery<'GET /api/v1/admin/isolation-checks'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/admin/isolation-checks', { ...options, query, headers: this.headers });
  }

  /** Checks now that tenants are isolated; takes 10 s at most. Conflicts while another check runs. */
  checkIsolation(options?: CallOptions) {
    return this.call('POST /api/v1/admin/isolation-checks', options);
  }

  plans(options?: CallOptions) {
    return this.call('GET /api/v1/admin/plans', options);
  }

  private call<R extends AnyRoute>(route: R, call: Call<R> = {}): Promise<ResponseBody<R>> {
    return this.http.call(route, { ...call, headers: this.headers });
  }

  private get headers(): Record<string, string> {
    if (this.adminKey === null) return {};
    if (this.adminKey === undefined) throw new TypeError('Administration needs the adminKey of the client');
    return { 'x-admin-key': this.adminKey };
  }
}
