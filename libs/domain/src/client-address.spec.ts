import { clientAddress } from './client-address.js';

const socket = '10.0.0.7';
const claims = {
  'x-forwarded-for': '198.51.100.1, 203.0.113.5, 10.0.0.6',
  'x-real-ip': '198.51.100.2',
  'cf-connecting-ip': '198.51.100.3',
};

describe('clientAddress', () => {
  it('SP-67 believes no header unless the operator says that a proxy of his sets it', () => {
    expect(clientAddress(claims, socket, { hops: 0 })).toBe(socket);
  });

  it('takes the address that the nearest proxies name, else counts the chain from the right', () => {
    expect(clientAddress(claims, socket, { hops: 1 })).toBe('198.51.100.3');
    expect(clientAddress({ ...claims, 'cf-connecting-ip': undefined }, socket, { hops: 1 })).toBe('198.51.100.2');
    const chain = { 'x-forwarded-for': claims['x-forwarded-for'] };
    expect(clientAddress(chain, socket, { hops: 1 })).toBe('10.0.0.6');
    expect(clientAddress(chain, socket, { hops: 2 })).toBe('203.0.113.5');
    expect(clientAddress(chain, socket, { hops: 9 })).toBe(socket);
  });

  it('with a header of the operator believes that one alone', () => {
    const headers = { ...claims, 'fly-client-ip': '192.0.2.44' };
    expect(clientAddress(headers, socket, { header: 'Fly-Client-IP', hops: 2 })).toBe('192.0.2.44');
    expect(clientAddress(claims, socket, { header: 'Fly-Client-IP', hops: 2 })).toBe(socket);
  });

  it('ignores what is no address, and writes one address in one way', () => {
    expect(clientAddress({ 'x-real-ip': "'; drop" }, socket, { hops: 1 })).toBe(socket);
    expect(clientAddress({}, '::ffff:192.0.2.1', { hops: 0 })).toBe('192.0.2.1');
    expect(clientAddress({}, '2001:DB8:0:0::1', { hops: 0 })).toBe('2001:db8::1');
  });
});
