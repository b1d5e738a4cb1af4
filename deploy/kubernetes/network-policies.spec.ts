import { checkCallbackUrl, publicNetworks } from '@spooled/domain';
import { faultsOf, readPolicies, type NetworkPolicy } from './network-policies.js';

const policies = readPolicies();
const policy = (name: string): NetworkPolicy => policies.find(({ metadata }) => metadata.name === name)!;
const withBlock = (ipBlock: { cidr: string; except?: string[] }, ports?: object[]): NetworkPolicy =>
  ({ metadata: { name: 'it' }, spec: { egress: [{ to: [{ ipBlock }], ports }] } }) as NetworkPolicy;

const portsOf = ({ port, endPort }: { port?: number | string; endPort?: number }) =>
  endPort === undefined ? port : `${port}-${endPort}`;

describe('SP-66 network policies', () => {
  it('are all accepted by an API server', () => {
    expect(policies.length).toBeGreaterThan(8);
    expect(policies.flatMap(faultsOf)).toEqual([]);
  });

  it('deny all traffic of every pod that no other policy allows', () => {
    expect(policy('nothing-unless-named').spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'spooled' } },
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('name in policyTypes exactly the directions that they have rules for, or deny', () => {
    const types = ({ spec }: NetworkPolicy) => [spec.ingress && 'Ingress', spec.egress && 'Egress'].filter(Boolean);
    const others = policies.filter(({ metadata }) => metadata.name !== 'nothing-unless-named');
    const wrong = others.filter((one) => types(one).join() !== one.spec.policyTypes?.join());
    expect(wrong.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  it('allow any address with named ports only, and every port to webhooks alone', () => {
    const open = policies.flatMap(({ metadata, spec }) =>
      (spec.egress ?? []).flatMap(({ to, ports }) => {
        const anywhere = !to || to.some(({ ipBlock }) => ipBlock);
        return anywhere ? [[metadata.name, ...(ports ?? [{ port: 'any' }]).map(portsOf)]] : [];
      }),
    );
    expect(open).toEqual([
      ['names-are-resolved', 53, 53],
      ['services-reach-their-stores', 6379, 6380, 26_379, 4318],
      ['pgbouncer-serves-services', 5432],
      ['migrate-reaches-postgres', 5432],
      ['webhooks-reach-the-internet', '1-65535'],
    ]);
  });

  it('accept connections of anyone to the public ports of three services and the console alone, others only of those who need them', () => {
    const accepted = policies.flatMap(({ metadata, spec }) =>
      (spec.ingress ?? []).map(({ from, ports }) => ({
        [metadata.name]: spec.podSelector,
        from: from ?? 'anyone',
        ports: ports?.map(portsOf),
      })),
    );
    const services = { matchLabels: { 'spooled/service': 'true' } };
    const called = { key: 'app.kubernetes.io/name', operator: 'In', values: ['gateway', 'realtime', 'webhooks'] };
    expect(accepted).toEqual([
      { 'callers-reach-the-services': { matchExpressions: [called] }, from: 'anyone', ports: ['http', 'grpc'] },
      {
        'prometheus-reaches-metrics': services,
        from: [{ namespaceSelector: { matchLabels: { 'spooled/scrapes': 'true' } } }],
        ports: ['metrics'],
      },
      {
        'pgbouncer-serves-services': { matchLabels: { 'app.kubernetes.io/name': 'pgbouncer' } },
        from: [{ podSelector: services }],
        ports: [6432],
      },
      {
        'callers-reach-the-console': { matchLabels: { 'app.kubernetes.io/name': 'console' } },
        from: 'anyone',
        ports: ['http'],
      },
      {
        'callers-reach-the-console': { matchLabels: { 'app.kubernetes.io/name': 'console' } },
        from: [{ namespaceSelector: { matchLabels: { 'spooled/scrapes': 'true' } } }],
        ports: ['metrics'],
      },
      {
        'stores-serve-spooled': {
          matchExpressions: [{ ...called, values: ['postgres', 'redis'] }],
        },
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'spooled' } } }],
        ports: ['postgres', 'redis'],
      },
    ]);
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
    const accepted = [1, 443, 8443, 65_535];
    expect(accepted.map((port) => checkCallbackUrl(`https://hooks.example:${port}/`, { production: true }))).toEqual(
      accepted.map(() => null),
    );
    expect(rule!.ports).toEqual([{ port: 1, endPort: 65_535 }]);
  });
});
