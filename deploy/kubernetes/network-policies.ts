import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { parseAllDocuments } from 'yaml';

interface Port {
  port?: number | string;
  endPort?: number;
  protocol?: string;
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
}

interface Manifest {
  kind?: string;
  spec?: { template?: { spec?: { containers?: { ports?: { name: string }[] }[] } } };
}

export interface NetworkPolicy {
  kind: 'NetworkPolicy';
  metadata: { name: string };
  spec: {
    podSelector?: object;
    policyTypes?: ('Ingress' | 'Egress')[];
    ingress?: { from?: Peer[]; ports?: Port[] }[];
    egress?: { to?: Peer[]; ports?: Port[] }[];
  };
}

/** All manifests of the base and the overlays as written; reading them needs no program. */
const manifests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8')))
  .map((document) => (document.toJS() ?? {}) as Manifest);

export const readPolicies = (): NetworkPolicy[] =>
  manifests.filter((manifest): manifest is NetworkPolicy & Manifest => manifest.kind === 'NetworkPolicy');

const portNames = new Set(
  manifests
    .flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])
    .flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
);

/** Why an API server would refuse the policy, or would accept it with another meaning. */
export function faultsOf({ metadata, spec }: NetworkPolicy): string[] {
  const rules = [
    ...(spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports })),
    ...(spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports })),
  ];
  const faults = rules.flatMap(({ peers = [], ports = [] }) => [
    ...peers.flatMap(({ ipBlock }) => (ipBlock ? faultsOfBlock(ipBlock.cidr, ipBlock.except ?? []) : [])),
    ...ports.flatMap((port) => (isPort(port) ? [] : [`port ${JSON.stringify(port)} is none`])),
  ]);
  return faults.map((fault) => `${metadata.name}: ${fault}`);
}

function faultsOfBlock(cidr: string, except: string[]): string[] {
  const faults = [cidr, ...except].flatMap((range) => faultOfRange(range) ?? []);
  if (faults.length > 0) return faults;
  return except
    .filter((range) => !isStrictSubset(range, cidr))
    .map((range) => `${range} is no strict subset of ${cidr}`);
}

function faultOfRange(range: string): string | undefined {
  const isStrict = ipaddr.IPv4.isValidCIDRFourPartDecimal(range) || ipaddr.IPv6.isValidCIDR(range);
  if (!isStrict) return `${range} is no CIDR`;
  const [address, bits] = ipaddr.parseCIDR(range);
  if (address.kind() === 'ipv6' && address.range() === 'ipv4Mapped') return `${range} is IPv4-mapped`;
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString();
  return network === address.toString() ? undefined : `${range} has bits beyond its mask`;
}

function isStrictSubset(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner);
  const [network, networkBits] = ipaddr.parseCIDR(outer);
  return address.kind() === network.kind() && bits > networkBits && address.match(network, networkBits);
}

const isNumber = (port: unknown): port is number =>
  Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535;

function isPort({ port, endPort, protocol = 'TCP' }: Port): boolean {
  if (!['TCP', 'UDP', 'SCTP'].includes(protocol)) return false;
  if (typeof port === 'string') return portNames.has(port) && endPort === undefined;
  if (port === undefined) return endPort === undefined;
  return isNumber(port) && (endPort === undefined || (isNumber(endPort) && endPort >= port));
}
