import { publicNetworks } from '@spooled/domain';
import { faultsOf, readPolicies, type NetworkPolicy } from './network-policies.js';

const policies = readPolicies();
const policy = (name: string): NetworkPolicy => policies.find(({ metadata }) => metadata.name === name)!;
const withBlock = (ipBlock: { cidr: string; except?: string[] }, ports?: object[]): NetworkPolicy =>
  ({ metadata: { name: 'it' }, spec: { egress: [{ to: [{ ipBlock }], ports }] } }) as NetworkPolicy;

describe('SP-66 network policies', () => {
  it('are all accepted by an API server', () => {
    expect(policies.length).toBeGreaterThan(8);
    expect(policies.flatMap(faultsOf)).toEqual([]);
  });

  it.each([
    [{ cidr: '::/0', except: ['::ffff:0:0/96'] }, 'IPv4-mapped'],
    [{ cidr: '::ffff:0:0/96' }, 'IPv4-mapped'],
    [{ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }, 'strict subset'],
    [{ cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }, 'strict subset'],
    [{ cidr: '10.0.0.0/8', except: ['0.0.0.0/0'] }, 'strict subset'],
    [{ cidr: '0.0.0.0/0', except: ['fc00::/7'] }, 'strict subset'],
    [{ cidr: '10.0.0.0' }, 'no CIDR'],
    [{ cidr: '10.0.0.1/8' }, 'bits beyond its mask'],
    [{ cidr: '010.0.0.0/8' }, 'no CIDR'],
  ])('are refused for %j: %s', (ipBlock, reason) => {
    expect(faultsOf(withBlock(ipBlock))).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    [{ port: 0 }],
    [{ port: 65_536 }],
    [{ port: '443' }],
    [{ port: 'no such port of a pod' }],
    [{ port: 443, endPort: 80 }],
    [{ port: 'http', endPort: 80 }],
    [{ port: 443, protocol: 'HTTP' }],
  ])('are refused for the port %j', (port) => {
    expect(faultsOf(withBlock({ cidr: '0.0.0.0/0' }, [port]))).toHaveLength(1);
  });

  it('SP-57 let outgoing webhooks reach the same addresses as the service does', () => {
    const [rule] = policy('webhooks-reach-the-internet').spec.egress!;
    const blocks = rule!.to!.map(({ ipBlock }) => ipBlock);
    expect(blocks).toEqual(publicNetworks);
  });
});
