export type Labels = Record<string, string>;

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

export interface Probe {
  httpGet: { path: string; port: string };
}

export interface Container {
  name: string;
  image: string;
  command: string[];
  env: EnvironmentVariable[];
  ports?: { name: string; containerPort: number }[];
  securityContext?: { runAsUser?: number; runAsNonRoot?: boolean; privileged?: boolean; readOnlyRootFilesystem?: boolean; allowPrivilegeEscalation?: boolean; capabilities?: { drop?: string[]; add?: string[] } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop?: { exec?: { command: string[] } } };
  resources?: Partial<Record<'requests' | 'limits', Partial<Record<'cpu' | 'memory', string>>>>;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean; subPath?: string }[];
}

export interface Volume {
  name: string;
  emptyDir?: { sizeLimit?: string };
  ephemeral?: object;
  secret?: { secretName: string };
  persistentVolumeClaim?: { claimName: string };
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; fsGroup?: number; seccompProfile?: { type: string } };
  topologySpreadConstraints?: { topologyKey: string; labelSelector: { matchLabels: Labels } }[];
  initContainers?: Container[];
  containers: Container[];
  volumes?: Volume[];
  hostNetwork?: boolean;
}

export interface Peer {
  namespaceSelector?: { matchLabels?: Labels; matchExpressions?: { key: string; operator: string; values: string[] }[] };
  podSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface NetworkRule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol: string; port: number; endPort?: number }[];
}

/** What these tests look at of an object of any kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Record<string, string> };
  automountServiceAccountToken?: boolean;
  spec: {
    replicas?: number;
    template?: { metadata: { labels: Labels; annotations?: Record<string, string> }; spec: PodSpec };
    strategy?: { rollingUpdate?: { maxSurge?: number; maxUnavailable?: number } };
    selector?: Labels & { matchLabels?: Labels };
    podSelector?: { matchLabels: Labels };
    policyTypes?: string[];
    ingress?: NetworkRule[];
    egress?: NetworkRule[];
    ports?: { name: string; port: number; targetPort: string }[];
    scaleTargetRef?: { kind: string; name: string };
    minReplicas?: number;
    metrics?: { type: string; resource?: { name: string }; external?: { metric: { name: string; selector?: { matchLabels: Labels } }; target: { value: string } } }[];
    rules?: { host: string; http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
    endpoints?: { port: string; path: string; relabelings: { targetLabel: string; replacement?: string; sourceLabels?: string[] }[] }[];
    groups?: { name: string; rules: { alert: string; expr: string; labels: Labels; annotations: Record<string, string> }[] }[];
  };
}

/** An object that runs pods: a Deployment, or a Job. */
export interface Workload {
  object: KubernetesObject;
  name: string;
  labels: Labels;
  pod: PodSpec;
  /** Every container, those that run before the others too. */
  containers: Container[];
}

/** What runs pods among some objects. */
export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  objects.flatMap((object) => {
    // Not every kind has a spec.
    const { template } = (object as Partial<KubernetesObject>).spec ?? {};
    if (template === undefined) return [];
    const { spec: pod, metadata } = template;
    return [{ object, name: `${object.kind}/${object.metadata.name}`, labels: metadata.labels, pod, containers: [...(pod.initContainers ?? []), ...pod.containers] }];
  });

export const ofKind = (objects: readonly KubernetesObject[], kind: string): KubernetesObject[] => objects.filter((object) => object.kind === kind);

/** Whether labels are chosen by a selector. */
export const isSelected = (labels: Labels, selector: Labels): boolean => Object.entries(selector).every(([key, value]) => labels[key] === value);
