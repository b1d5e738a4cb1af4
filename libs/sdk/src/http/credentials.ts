/** Who asks: an API key, or an access token that a refresh token may renew. */
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

  /** What goes into `Authorization: Bearer`; undefined for anonymous callers. */
  get bearer(): string | undefined {
    return this.apiKey ?? this.accessToken;
  }

  renew(accessToken: string): void {
    this.accessToken = accessToken;
  }
}
