import ipaddr from 'ipaddr.js';
import { isPublicUnicast } from '../../../domain/webhooks/addresses';
import { isSelected, ofKind, workloadsOf, type KubernetesObject, type NetworkRule, type Workload } from '../../support/helm/objects';
import type { Policies } from './policies';

/** The ports that nobody outside of named namespaces reaches: of the platform API, and of the workers' metrics. */
const innerPorts = [4001, 4002];

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean => {
  const [range, bits] = ipaddr.parseCIDR(network);
  if (range instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(range, bits);
  return address instanceof ipaddr.IPv6 && address.match(range, bits);
};

/** Whether a rule lets packets to an address through to some port. */
const reaches = ({ to }: NetworkRule, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  to === undefined || to.flatMap(({ ipBlock }) => ipBlock ?? []).some(({ cidr, except = [] }) => isIn(address, cidr) && !except.some((network) => isIn(address, network)));

type SpecialRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The networks that ipaddr.js, by which the program classifies addresses, knows as special. */
function specialNetworks(): string[] {
  return [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) => {
    const ranges = Object.values(Reflect.get(prototype, 'SpecialRanges') as Record<string, SpecialRange | SpecialRange[]>);
    return ranges.flatMap((range) => (Array.isArray(range[0]) ? range : [range]) as SpecialRange[]).map(([address, bits]) => `${address.toString()}/${bits}`);
  });
}

/** The first and the last address of a network. */
const endsOf = (network: string): string[] => {
  const kind = ipaddr.parseCIDR(network)[0] instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return [kind.networkAddressFromCIDR(network).toString(), kind.broadcastAddressFromCIDR(network).toString()];
};

const privateAddresses: readonly string[] = [
  ...specialNetworks().flatMap(endsOf),
  '10.96.0.1', '169.254.169.254', '168.63.129.16', 'fd00:ec2::254',
].filter((address) => !isPublicUnicast(address));

/** Public addresses next to private ones, and others. */
const publicAddresses = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'];

/** The rules of the policies that hold for a workload. */
const rulesFor = (objects: readonly KubernetesObject[], { labels }: Workload, direction: 'ingress' | 'egress'): NetworkRule[] =>
  ofKind(objects, 'NetworkPolicy').filter(({ spec }) => isSelected(labels, spec.podSelector?.matchLabels ?? {})).flatMap(({ spec }) => spec[direction] ?? []);

/** Rules of egress to public addresses: what a configured network is open for besides is the operator's decision. */
const publicRules = (objects: readonly KubernetesObject[], workload: Workload): NetworkRule[] =>
  rulesFor(objects, workload, 'egress').filter(({ to }) => to === undefined || to.flatMap(({ ipBlock }) => ipBlock ?? []).some(({ cidr, except }) => except !== undefined || cidr.endsWith('/0')));

const sendsWebhooks = ({ containers }: Workload): boolean => containers.some(({ name }) => name === 'api' || name === 'worker');

/** Rules for what reaches pods and what they reach; each returns what breaks it. */
export const networkPolicies: Policies = {
  'every pod is shut in both directions, but for what a policy opens': (objects) =>
    workloadsOf(objects).filter(({ labels }) => !ofKind(objects, 'NetworkPolicy').some(({ spec }) =>
      isSelected(labels, spec.podSelector?.matchLabels ?? {}) && ['Ingress', 'Egress'].every((type) => spec.policyTypes?.includes(type) === true))).map(({ name }) => name),

  'the platform API and the workers are reached from named namespaces alone': (objects) =>
    workloadsOf(objects).flatMap((workload) => rulesFor(objects, workload, 'ingress')
      .filter(({ ports }) => ports === undefined || ports.some(({ port, endPort = port }) => innerPorts.some((inner) => port <= inner && inner <= endPort)))
      .filter(({ from }) => from?.every(({ namespaceSelector }) => namespaceSelector?.matchExpressions?.every(({ key, operator, values }) => key === 'kubernetes.io/metadata.name' && operator === 'In' && values.length > 0) === true) !== true)
      .map(() => workload.name)),

  'the public API and the apps\' listener are reached': (objects) =>
    workloadsOf(objects).filter(({ name }) => name.endsWith('-api')).filter((workload) =>
      ![4000, 4003].every((port) => rulesFor(objects, workload, 'ingress').some(({ ports = [] }) => ports.some((open) => open.port === port)))).map(({ name }) => name),

  'nothing that the program refuses as private is reached as a public address': (objects) =>
    workloadsOf(objects).flatMap((workload) => privateAddresses.filter((address) => publicRules(objects, workload).some((rule) => reaches(rule, ipaddr.parse(address)))).map((address) => `${workload.name}: ${address}`)),

  'API and workers reach receivers at public addresses': (objects) =>
    workloadsOf(objects).filter(sendsWebhooks).flatMap((workload) => publicAddresses.filter((address) =>
      !publicRules(objects, workload).some((rule) => reaches(rule, ipaddr.parse(address)) && (rule.ports ?? []).some(({ port, endPort = port }) => port <= 443 && endPort >= 8_443))).map((address) => `${workload.name}: ${address}`)),

  'every pod reaches the DNS': (objects) =>
    workloadsOf(objects).filter((workload) => !rulesFor(objects, workload, 'egress').some(({ to, ports = [] }) => to !== undefined && ports.some(({ protocol, port }) => protocol === 'UDP' && port === 53))).map(({ name }) => name),
};
