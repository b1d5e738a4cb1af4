import { LogSecrets } from './log-secrets.js';

describe('the search for credentials in logs', () => {
  const known = 'admin-key-of-a-stack';
  const found = (line: string) => {
    const secrets = new LogSecrets([known, 'short', undefined]);
    secrets.check('gateway', line);
    return secrets.found;
  };

  it.each([
    `{"msg":"key ${known} refused"}`,
    '{"path":"/api/v1/jobs?key=sk_test_0123456789abcdefghij"}',
    '{"token":"whk_0123456789abcdefghijkl"}',
    '{"secret":"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}',
    '{"msg":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9m"}',
    '{"authorization":"Bearer 0123456789abcdef"}',
    '{"err":"connect postgres://spooled_app:hidden@127.0.0.1:5432/spooled"}',
    '{"err":"connect redis://:hidden@127.0.0.1:6379"}',
  ])('finds one in %s, and does not repeat it', (line) => {
    const [text] = found(line);
    expect(text).toMatch(/^gateway: .*\*\*\*/);
    expect(text).not.toContain(/sk_test_\w+|hidden|admin-key/.exec(line)?.[0] ?? line);
  });

  it('lets what is redacted, and texts that only look alike, pass', () => {
    const redacted = '{"authorization":"[redacted]","url":"postgres://spooled_app:[redacted]@127.0.0.1:5432/spooled"}';
    const alike = '{"msg":"sk_test_ is the prefix of keys, short; eyJ is not a token; redis://127.0.0.1:6379"}';
    expect([...found(redacted), ...found(alike)]).toEqual([]);
  });

  it('fails a stack whose log has one', () => {
    const secrets = new LogSecrets([known]);
    expect(() => secrets.requireNone()).not.toThrow();
    secrets.check('engine', known);
    expect(() => secrets.requireNone()).toThrow('Credentials in the log (as ***):\nengine: ***');
  });
});
