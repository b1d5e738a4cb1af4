import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { AnyRoute, Body, ListQuery, Query } from '../routes.js';

/** Of routes that may be called again without a response: executed twice, they have the effect of once. */
export const repeatable = { idempotent: true } as const;

/** A part of the API. Most methods are one route with what it takes: these functions make them. */
export abstract class Resource<Client extends Pick<HttpClient, 'call' | 'list'> = HttpClient> {
  constructor(protected readonly http: Client) {}

  protected withoutInput<R extends AnyRoute>(route: R) {
    return (options?: CallOptions) => this.http.call(route, options);
  }

  protected withQuery<R extends AnyRoute>(route: R) {
    return (query?: Query<R>, options?: CallOptions) => this.http.call(route, { ...options, query });
  }

  protected withBody<R extends AnyRoute>(route: R, usual?: CallOptions) {
    return (body: Body<R>, options?: CallOptions) => this.http.call(route, { ...usual, ...options, body });
  }

  protected rows<R extends AnyRoute>(route: R) {
    return (query?: ListQuery<R>, options?: CallOptions) => this.http.list(route, { ...options, query });
  }

  /** Of a route with `{id}`, as are those below, or with the `{name}` of a queue. */
  protected withId<R extends AnyRoute>(route: R, usual?: CallOptions) {
    return (id: string, options?: CallOptions) => this.http.call(route, { ...usual, ...options, params: named(id) });
  }

  protected withIdAndQuery<R extends AnyRoute>(route: R) {
    return (id: string, query?: Query<R>, options?: CallOptions) =>
      this.http.call(route, { ...options, params: named(id), query });
  }

  protected withIdAndBody<R extends AnyRoute>(route: R, usual?: CallOptions) {
    return (id: string, body: Body<R>, options?: CallOptions) =>
      this.http.call(route, { ...usual, ...options, params: named(id), body });
  }

  protected rowsOfId<R extends AnyRoute>(route: R) {
    return (id: string, query?: ListQuery<R>, options?: CallOptions) =>
      this.http.list(route, { ...options, params: named(id), query });
  }
}

/** A path has one of them. */
const named = (id: string) => ({ id, name: id });
