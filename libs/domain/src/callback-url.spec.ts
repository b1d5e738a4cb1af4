import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { checkCallbackUrl, isPublicAddress } from './callback-url.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
const production = { production: true };
const development = { production: false };

describe('SP-57 addresses that callbacks may connect to', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['169.254.169.254', 'link-local, cloud metadata'],
    ['168.63.129.16', 'Azure host'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.9', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'IPv4-compatible loopback'],
    ['::ffff:8.8.8.8', 'mapped'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['fd00:ec2::254', 'unique local, cloud metadata'],
    ['64:ff9b::a9fe:a9fe', 'NAT64 of cloud metadata'],
    ['2002:7f00:1::', '6to4 of loopback'],
    ['2001:db8::1', 'documentation'],
    ['ff02::1', 'multicast'],
    ['not an address', 'garbage'],
  ])('refuses %s in production (%s)', (ip) => {
    expect(isPublicAddress(ip, production)).toBe(false);
  });

  it.each(['8.8.8.8', '140.82.112.3', '2606:4700:4700::1111'])('accepts public %s', (ip) => {
    expect(isPublicAddress(ip, production)).toBe(true);
  });

  it('refuses whatever a list of special ranges that others keep calls special', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const special = address.filter((ip) => ipaddr.parse(ip).range() !== 'unicast');
    fc.assert(fc.property(special, (ip) => !isPublicAddress(ip, production)));
    // The first and the last of each of these ranges, which chance does not find.
    const kept = [new ipaddr.IPv4([1, 1, 1, 1]), ipaddr.IPv6.parse('2600::')].flatMap((one) =>
      Object.values((one as unknown as { SpecialRanges: Record<string, Range | Range[]> }).SpecialRanges).flatMap(
        (each) => (Array.isArray(each[0]) ? (each as Range[]) : [each as Range]),
      ),
    );
    expect(kept.length).toBeGreaterThan(30);
    for (const [network, bits] of kept) {
      const kind = network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
      const last = kind.broadcastAddressFromCIDR(`${network.toString()}/${bits}`).toString();
      expect([network.toString(), last].map((ip) => isPublicAddress(ip, production))).toEqual([false, false]);
    }
  });

  it('allow plain HTTP to named hosts outside production only', () => {
    const named = { httpHosts: ['host.docker.internal'] };
    const url = 'http://HOST.docker.internal.:8081/hook';
    expect(checkCallbackUrl(url, { ...development, ...named })).toBeNull();
    expect(checkCallbackUrl(url, development)).toContain('HTTP not allowed');
    expect(checkCallbackUrl('http://other.example/', { ...development, ...named })).toContain('CALLBACK_HTTP_HOSTS');
    expect(checkCallbackUrl(url, { ...production, ...named })).toContain('HTTP not allowed in production');
  });

  it('lets development reach its own machine and network, but never cloud metadata', () => {
    expect(['127.0.0.1', '::1', '10.0.0.1', '172.17.0.2'].map((ip) => isPublicAddress(ip, development))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isPublicAddress('169.254.169.254', development)).toBe(false);
    expect(isPublicAddress('0.0.0.0', development)).toBe(false);
  });

  it('refuses every private address, whatever its last octets and however it is written', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const prefix = fc.constantFrom('10', '127', '172.16', '192.168', '169.254');
    fc.assert(
      fc.property(prefix, octet, octet, octet, (start, a, b, c) => {
        const ip = [...start.split('.'), a, b, c].slice(0, 4).join('.');
        const asNumber = ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
        const spellings = [ip, String(asNumber), `0x${asNumber.toString(16)}`, `[::ffff:${ip}]`, `${ip}.`];
        return (
          !isPublicAddress(ip, production) &&
          spellings.every((host) => checkCallbackUrl(`https://${host}/x`, production)?.includes('Invalid webhook URL'))
        );
      }),
    );
  });
});

describe('SP-57 callback URLs', () => {
  it.each([
    'https://localhost/x',
    'https://postgres/x',
    'https://metadata/x',
    'https://metadata.google.internal/x',
    'https://printer.local/x',
    'https://api.default.svc/x',
    'https://api.default.svc.cluster.local/x',
    'https://api.default.svc.cluster.local./x',
    'https://LOCALHOST./x',
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'https://user:secret@example.com/x',
    'https://user@example.com/x',
    'https://:secret@example.com/x',
    'ftp://example.com/x',
    'file:///etc/passwd',
    'example.com/hook',
    '',
    'https://example.com/'.padEnd(2_049, 'x'),
  ])('refuses %s in production as an invalid webhook URL', (url) => {
    expect(checkCallbackUrl(url, production)).toContain('Invalid webhook URL');
  });

  it('wants HTTPS, and says so', () => {
    expect(checkCallbackUrl('http://example.com/x', production)).toContain('HTTP not allowed');
    expect(checkCallbackUrl('http://localhost:3001/webhook', production)).toContain('HTTP not allowed');
    expect(checkCallbackUrl('http://example.com/x', development)).toContain('HTTP not allowed');
    expect(checkCallbackUrl('http://8.8.8.8/x', development)).toContain('HTTP not allowed');
  });

  it('accepts public HTTPS, and plain HTTP to the developer’s own machine', () => {
    expect(checkCallbackUrl('https://hooks.example.com:8443/x?y=1', production)).toBeNull();
    expect(checkCallbackUrl('https://example.com/'.padEnd(2_048, 'x'), production)).toBeNull();
    for (const host of ['localhost:3001', '127.0.0.1:3001', '[::1]:3001']) {
      expect(checkCallbackUrl(`http://${host}/webhook`, development)).toBeNull();
    }
  });

  it('never throws, and always gives a text that SDK scripts recognize', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.ipV6().map((ip) => `https://[${ip}]/`),
        ),
        fc.boolean(),
        (url, p) => {
          const reason = checkCallbackUrl(url, { production: p });
          return reason === null || /Invalid webhook URL|HTTP not allowed/.test(reason);
        },
      ),
    );
  });
});
