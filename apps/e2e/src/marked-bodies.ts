import { randomUUID } from 'node:crypto';
import { isSecretName, secretOrganizationSettings } from '@spooled/domain';
import { resolved, type Schema } from './api-description.js';

/**
 * Who may read a marked value. `none`: a secret member. `owners`: settings of an organization, for its administrators. `changers`:
 * receivers and settings of queues, for roles that may change them. `readers`: a secret inside a document of a job, which the audit log
 * and log lines hide. `all`: anything else.
 */
export type Secrecy = 'none' | 'owners' | 'changers' | 'readers' | 'all';

export interface Mark {
  text: string;
  /** Route and member, such as `POST /jobs callback_secret`. */
  member: string;
  secrecy: Secrecy;
}

/** Rules that the schema does not contain, by the name of a member; `undefined` leaves it out. */
type Values = Record<string, unknown>;

/** Credentials in bodies whose names do not say so. */
const isSecret = (name: string): boolean => isSecretName(name) || name === 'code';
/** Members whose whole value is a receiver. */
const receivers = ['url', 'callback_url', 'completion_webhook'];
const settings = {
  queues: ['callback_secret', 'callback_url', 'callback_headers'],
  organizations: [...secretOrganizationSettings, 'callback_secret', 'callback_url'],
};

/** Fills every member of bodies with texts that occur nowhere else. */
export class MarkedBodies {
  readonly marks: Mark[] = [];

  /** @param values valid values of members that only they can have */
  constructor(private readonly values: Values) {}

  /** @param route such as `POST /jobs`, for the names of marks */
  bodyFor(route: string, schema: Schema): unknown {
    return this.filled(route, schema, []);
  }

  private filled(route: string, schema: Schema, path: readonly string[]): unknown {
    const name = path.at(-1) ?? '';
    const own = resolved(schema);
    if (name in this.values) return this.values[name];
    if (own.enum) return own.enum[0];
    const member = `${route} ${path.join('.')}`;
    switch (own.type) {
      case 'object':
        return this.object(route, own, path);
      case 'array':
        return own.items ? [this.filled(route, own.items, [...path, '0'])] : [];
      case 'integer':
      case 'number':
        return own.minimum ?? 1;
      case 'boolean':
        return true;
      case 'string':
        return this.text(member, name, own);
      default:
        return this.document(member);
    }
  }

  private object(route: string, { properties, additionalProperties }: Schema, path: readonly string[]): unknown {
    const member = `${route} ${path.join('.')}`;
    const name = path.at(-1) ?? '';
    if (name === 'settings') return this.settings(route, member);
    if (
      properties === undefined &&
      typeof additionalProperties === 'object' &&
      additionalProperties.type === 'string'
    ) {
      return { 'x-tenant': this.mark(member, isSecret(name) ? 'none' : 'readers') };
    }
    if (properties === undefined) return this.document(member);
    const members = Object.entries(properties).map(([each, of]) => [each, this.filled(route, of, [...path, each])]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }

  private text(member: string, name: string, { format, minLength = 0, maxLength = 255 }: Schema): string {
    if (receivers.includes(name)) return this.receiver(member);
    if (format === 'uuid') return randomUUID();
    if (format === 'date-time') return new Date(Date.now() + 3_600_000).toISOString();
    if (format === 'email') return `${this.mark(member, 'all')}@example.com`;
    return this.mark(member, isSecret(name) ? 'none' : 'all')
      .padEnd(minLength, 'x')
      .slice(0, maxLength);
  }

  private receiver(member: string, secrecy: Secrecy = 'changers'): string {
    return `https://hooks.invalid/services/${this.mark(member, secrecy)}?key=${this.mark(member, secrecy)}`;
  }

  private settings(route: string, member: string): object {
    const isQueues = route.includes('/queues');
    const secrecy = isQueues ? 'changers' : 'owners';
    const valueOf = (name: string) => {
      const at = `${member}.${name}`;
      if (receivers.includes(name)) return this.receiver(at, secrecy);
      const text = this.mark(at, isQueues ? 'none' : secrecy);
      if (name === 'standard_webhook_secret') return `whsec_${text.padEnd(32, 'A')}`;
      return name === 'callback_headers' ? { 'x-tenant': text } : text;
    };
    const names = settings[isQueues ? 'queues' : 'organizations'];
    return { ...Object.fromEntries(names.map((name) => [name, valueOf(name)])), own: this.document(member, secrecy) };
  }

  private document(member: string, secrecy: Secrecy = 'readers'): object {
    const secret = () => this.mark(member, secrecy);
    return {
      own: this.mark(member, 'all'),
      api_token: secret(),
      headers: [secret(), { name: secret() }],
      chats: [{ url: `https://${secret()}@hooks.invalid/${secret()}` }, [`https://hooks.invalid/${secret()}`]],
    };
  }

  private mark(member: string, secrecy: Secrecy): string {
    // Also valid within Base64.
    const text = `marked${this.marks.length}x`;
    this.marks.push({ text, member, secrecy });
    return text;
  }
}
