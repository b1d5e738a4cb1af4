import { standardSecretProblem } from './standard-webhooks.js';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('BX-37 secrets of Standard Webhooks', () => {
  it.each([24, 25, 26, 32, 64])('have %s bytes', (bytes) => {
    expect(standardSecretProblem(secretOf(bytes))).toBeNull();
  });

  it.each([
    ['too few bytes', secretOf(23)],
    ['too many bytes', secretOf(65)],
    ['no prefix', secretOf(32).slice('whsec_'.length)],
    ['another alphabet', `whsec_${'-_'.repeat(16)}`],
    ['no padding', secretOf(25).replaceAll('=', '')],
    ['spaces', `${secretOf(24)} `],
    ['nothing else', 'whsec_'],
  ])('are refused with %s', (_what, secret) => {
    expect(standardSecretProblem(secret)).toBe('must be whsec_ and 24 to 64 bytes in Base64');
  });
});
