import { addressBlock, clientAddress, trustedChain } from './client-address.js';

const socket = '10.0.0.7';
const claims = {
  'x-forwarded-for': '198.51.100.1, 203.0.113.5, 10.0.0.6',
  'x-real-ip': '198.51.100.2',
  'cf-connecting-ip': '198.51.100.3',
};

describe('clientAddress', () => {
  it('SP-67 believes no header unless the operator says that a proxy sets it', () => {
    expect(clientAddress(claims, socket, { hops: 0 })).toBe(socket);
  });

  it('SP-67 counts the chain of proxies from the right, and no other header', () => {
    expect(clientAddress(claims, socket, { hops: 1 })).toBe('10.0.0.6');
    expect(clientAddress(claims, socket, { hops: 2 })).toBe('203.0.113.5');
    expect(clientAddress(claims, socket, { hops: 9 })).toBe(socket);
    expect(clientAddress({ 'x-real-ip': '198.51.100.2' }, socket, { hops: 1 })).toBe(socket);
  });

  it('believes only the named header, if there is one', () => {
    const headers = { ...claims, 'fly-client-ip': '192.0.2.44' };
    expect(clientAddress(headers, socket, { header: 'Fly-Client-IP', hops: 2 })).toBe('192.0.2.44');
    expect(clientAddress(claims, socket, { header: 'Fly-Client-IP', hops: 2 })).toBe(socket);
  });

  it('takes what the proxy appended when a caller sends the header too', () => {
    const twice = ['198.51.100.66', '192.0.2.44'];
    expect(clientAddress({ 'fly-client-ip': twice }, socket, { header: 'fly-client-ip', hops: 0 })).toBe('192.0.2.44');
    expect(clientAddress({ 'fly-client-ip': twice.join(', ') }, socket, { header: 'fly-client-ip', hops: 0 })).toBe(
      '192.0.2.44',
    );
    expect(clientAddress({ 'x-forwarded-for': twice }, socket, { hops: 1 })).toBe('192.0.2.44');
  });

  it('ignores what is no address, and writes one address in one way', () => {
    expect(clientAddress({ 'x-forwarded-for': "'; drop" }, socket, { hops: 1 })).toBe(socket);
    expect(clientAddress({}, '::ffff:192.0.2.1', { hops: 0 })).toBe('192.0.2.1');
    expect(clientAddress({}, '2001:DB8:0:0::1', { hops: 0 })).toBe('2001:db8::1');
    expect(clientAddress({ 'x-forwarded-for': '192.0.2.1:4711' }, socket, { hops: 1 })).toBe('192.0.2.1');
    expect(clientAddress({ 'x-forwarded-for': '[2001:db8::1]:4711' }, socket, { hops: 1 })).toBe('2001:db8::1');
  });
});

describe('trustedChain', () => {
  it('is what the operator’s own proxies wrote', () => {
    expect(trustedChain(claims, 0)).toEqual([]);
    expect(trustedChain(claims, 2)).toEqual(['203.0.113.5', '10.0.0.6']);
    expect(trustedChain({}, 2)).toEqual([]);
  });
});

describe('addressBlock', () => {
  it('counts a /64 of IPv6 as one caller', () => {
    expect(addressBlock('192.0.2.1')).toBe('192.0.2.1');
    expect(addressBlock('2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
    expect(addressBlock('2001:db8:1:2:ffff::9')).toBe('2001:db8:1:2::/64');
    expect(addressBlock('unknown')).toBe('unknown');
  });
});
