import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { ListQuery, Query, ResponseBody } from '../routes.js';
import { repeatable, Resource } from './resource.js';

type OrganizationPage = Extract<ResponseBody<'GET /api/v1/admin/organizations'>, { total: number }>;

/** Administration of all organizations; needs the client's `adminKey`. */
export class Admin extends Resource<Pick<HttpClient, 'call' | 'list'>> {
  readonly organization = this.withId('GET /api/v1/admin/organizations/{id}');
  readonly createOrganization = this.withBody('POST /api/v1/admin/organizations');
  /** Changes take effect at once. */
  readonly updateOrganization = this.withIdAndBody('PATCH /api/v1/admin/organizations/{id}', repeatable);
  /** Revokes its keys and keeps its data. */
  readonly deleteOrganization = this.withId('DELETE /api/v1/admin/organizations/{id}');
  /** Creates a key for an organization. The key is only in this response. */
  readonly createApiKey = this.withIdAndBody('POST /api/v1/admin/organizations/{id}/api-keys');
  /** Resets today's job count. */
  readonly resetUsage = this.withId('POST /api/v1/admin/organizations/{id}/reset-usage', repeatable);
  /** The audit log of one organization or all of them, the newest first. */
  readonly audit = this.rows('GET /api/v1/admin/audit');
  readonly stats = this.withoutInput('GET /api/v1/admin/stats');
  /** The services with their processes and versions. */
  readonly services = this.withoutInput('GET /api/v1/admin/services');
  /** The organizations with the most jobs in the last minutes. */
  readonly topTenants = this.withQuery('GET /api/v1/admin/tenants/top');
  /** What is used of the limits of PostgreSQL and Redis. */
  readonly capacity = this.withoutInput('GET /api/v1/admin/capacity');
  /** The checks that tenants are isolated in the database, the newest first. */
  readonly isolationChecks = this.rows('GET /api/v1/admin/isolation-checks');
  /** Checks now that tenants are isolated; takes 10 s at most. Conflicts while another check runs. */
  readonly checkIsolation = this.withoutInput('POST /api/v1/admin/isolation-checks');
  readonly plans = this.withoutInput('GET /api/v1/admin/plans');

  /** @param adminKey null: the cookie of an administrator's session identifies the caller */
  constructor(http: HttpClient, adminKey: string | null | undefined) {
    super({
      call: (route, call) => http.call(route, { ...call, headers: headersOf(adminKey) }),
      list: (route, call) => http.list(route, { ...call, headers: headersOf(adminKey) }),
    });
  }

  /** A page of all organizations, with the number of matches. */
  async organizations(
    query?: ListQuery<'GET /api/v1/admin/organizations'>,
    options?: CallOptions,
  ): Promise<OrganizationPage> {
    // Without a cursor the response has this form.
    const call = { ...options, query: query as Query<'GET /api/v1/admin/organizations'> };
    return (await this.http.call('GET /api/v1/admin/organizations', call)) as OrganizationPage;
  }

  /** Deletes an organization with all of its data, also active jobs. This cannot be undone. */
  eraseOrganization(id: string, options?: CallOptions): Promise<void> {
    const call = { ...options, params: { id }, query: { hardDelete: true } };
    return this.http.call('DELETE /api/v1/admin/organizations/{id}', call);
  }
}

function headersOf(adminKey: string | null | undefined): Record<string, string> {
  if (adminKey === null) return {};
  if (adminKey === undefined) throw new TypeError('Administration needs the adminKey of the client');
  return { 'x-admin-key': adminKey };
}
