/** An API key, or an access token that a refresh token can renew. */
export class Credentials {
  private accessToken: string | undefined;

  /** @throws TypeError when both are given */
  constructor(
    readonly apiKey: string | undefined,
    accessToken: string | undefined,
    readonly refreshToken: string | undefined,
  ) {
    if (apiKey && accessToken) throw new TypeError('Give either apiKey or accessToken, not both');
    this.accessToken = accessToken;
  }

  /** The value for `Authorization: Bearer`; undefined without a credential. */
  get bearer(): string | undefined {
    return this.apiKey ?? this.accessToken;
  }

  renew(accessToken: string): void {
    this.accessToken = accessToken;
  }
}
