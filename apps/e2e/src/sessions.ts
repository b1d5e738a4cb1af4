import type { StackAddresses, TestTenant } from '@spooled/testing';
import { decodeJwt } from 'jose';
import { RestCaller, type RestResponse } from './rest-caller.js';

export interface Session {
  access_token: string;
  refresh_token: string;
}

/** Logs in with keys of an organization and uses the tokens, at any gateway of a stack. */
export class Sessions {
  constructor(
    private readonly stack: StackAddresses,
    private readonly tenant: TestTenant,
  ) {}

  as(credential: string, gateway = 0): RestCaller {
    return new RestCaller(this.stack.baseUrls[gateway]!, credential);
  }

  anonymous(gateway = 0): RestCaller {
    return new RestCaller(this.stack.baseUrls[gateway]!, null);
  }

  async login(key = this.tenant.key): Promise<Session> {
    const { status, body } = await this.anonymous().post('/auth/login', { api_key: key });
    expect(status).toBe(200);
    return body as Session;
  }

  refresh(refresh_token: string, gateway = 0): Promise<RestResponse> {
    return this.anonymous(gateway).post('/auth/refresh', { refresh_token });
  }

  /** The status of a request that any valid credential may send. */
  async statusOf(credential: string, gateway = 0): Promise<number> {
    return (await this.as(credential, gateway).get('/jobs/stats')).status;
  }

  async idOfKey(key: string): Promise<string> {
    const keys = (await this.as(this.tenant.key).get('/api-keys')).body as { id: string }[];
    const { access_token } = await this.login(key);
    const id = decodeJwt(access_token).api_key_id as string;
    expect(keys.map((one) => one.id)).toContain(id);
    return id;
  }
}
