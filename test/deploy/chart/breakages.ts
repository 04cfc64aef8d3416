import type { ChartChange, ValueFile } from '../../support/helm/chart';

/** A change of the chart or its values that breaks one rule. */
export interface Breakage {
  rule: string;
  values?: ValueFile;
  args?: readonly string[];
  changes?: readonly ChartChange[];
}

const pod = 'templates/_pod.tpl';
const change = (file: string, from: string, to: string): readonly ChartChange[] => [{ file, from, to }];

/** For every rule what breaks it, as somebody may change the chart. */
export const breakages: readonly Breakage[] = [
  { rule: 'no container runs as root', changes: change(pod, 'runAsUser: 1000', 'runAsUser: 0') },
  { rule: 'no container runs as root', changes: change(pod, 'runAsNonRoot: true', 'runAsNonRoot: false') },
  { rule: 'the root file system of every container is read-only', changes: change(pod, 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false') },
  { rule: 'no container has a capability, gains privileges or makes unusual system calls', changes: change(pod, 'drop: [ALL]', 'drop: [NET_RAW]') },
  { rule: 'no container has a capability, gains privileges or makes unusual system calls', changes: change(pod, 'allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true') },
  { rule: 'no container has a capability, gains privileges or makes unusual system calls', changes: change(pod, 'type: RuntimeDefault', 'type: Unconfined') },
  { rule: 'every container has requests and limits of CPU and memory', changes: change('templates/migration.yaml', '{{- toYaml $.Values.migration.resources | nindent 12 }}', ' {}') },
  { rule: 'every image has a version', args: ['--set', 'image.tag=main'] },
  { rule: 'every container that goes on running has probes of its own health', changes: change('templates/workers.yaml', '{{- include "institution.probes" "worker" | nindent 10 }}', '') },
  { rule: 'every container that goes on running has probes of its own health', changes: change('templates/api.yaml', '"institution.probes" "platform"', '"institution.probes" "public"') },
  { rule: 'every container that goes on running has probes of its own health', changes: change(pod, 'path: /readyz', 'path: /healthz') },
  { rule: 'no pod has a token of its ServiceAccount, or variables of Services', changes: change('templates/workers.yaml', 'automountServiceAccountToken: false', 'automountServiceAccountToken: true') },
  { rule: 'no pod has a token of its ServiceAccount, or variables of Services', changes: change('templates/serviceaccount.yaml', 'automountServiceAccountToken: false', '') },
  { rule: 'every container runs a program that the build makes', changes: change('templates/migration.yaml', 'dist/worker/migrateMain.js, temporal', 'dist/migrate.js') },
  { rule: 'every mounted volume is there, bounded where it is on the disk of a node, and mounted whole', changes: change(pod, 'sizeLimit: {{ .Values.spool.sizeLimit }}', 'medium: ""') },
  { rule: 'every mounted volume is there, bounded where it is on the disk of a node, and mounted whole', changes: change(pod, 'mountPath: /spool', 'mountPath: /spool\n  subPath: uploads') },
  { rule: 'every folder and file that a variable names is below a mount', changes: change(pod, 'mountPath: /etc/institution/temporal-tls', 'mountPath: /etc/temporal-tls') },
  { rule: 'every folder and file that a variable names is below a mount', changes: change(pod, 'mountPath: /spool', 'mountPath: /uploads') },
  { rule: 'a process that is asked to stop is not killed before it has stopped by itself', changes: change('templates/_names.tpl', '1000) 18', '1000) 4') },
  { rule: 'a process that is asked to stop is not killed before it has stopped by itself', changes: change('templates/api.yaml', '(include "institution.stopSeconds" .)', '12') },
  { rule: 'a bulk call may end while its process stops', args: ['--set', 'settings.SHUTDOWN_TIMEOUT_MS=12000'] },
  { rule: 'the API is asked to stop only once its endpoints are gone', changes: change('templates/api.yaml', '.Values.api.preStopSeconds | quote', '0 | quote') },
  { rule: 'an update takes no pod away before its successor is ready', changes: change('templates/api.yaml', 'maxUnavailable: 0', 'maxUnavailable: 1') },
  { rule: 'pods of a kind are on different nodes and in different zones', changes: change(pod, 'list "kubernetes.io/hostname" "topology.kubernetes.io/zone"', 'list "kubernetes.io/hostname"') },
  { rule: 'pods of a kind are on different nodes and in different zones', changes: change('templates/workers.yaml', '"selector" (include "institution.workerSelector" $part)', '"selector" "app: worker"') },
  { rule: 'a new version of the chart alone restarts no pod', changes: change('templates/api.yaml', 'institution.podLabels', 'institution.labels') },
  { rule: 'the program knows every variable of a container', changes: change(pod, '"APP_PORT" "4003"', '"APP_PORT" "4003" "APPS_PORT" "4003"') },
  { rule: 'no variable stands twice', changes: change('templates/workers.yaml', '- name: WORKER_QUEUES', '- name: PORT\n              value: "1"\n            - name: WORKER_QUEUES') },
  { rule: 'what is secret comes from Secrets, which the chart does not make', changes: change(pod, '"APP_PORT" "4003"', '"APP_PORT" "4003" "PLATFORM_TOKEN" "f"') },
  { rule: 'what is secret comes from Secrets, which the chart does not make', changes: change('templates/serviceaccount.yaml', 'kind: ServiceAccount', 'kind: Secret') },
  { rule: 'every process starts in the production profile', args: ['--set', 'settings.TEMPORAL_ALLOW_PLAINTEXT=false'], values: 'small' },
  { rule: 'every process starts in the production profile', args: ['--set', 'settings.WEBHOOK_TRUSTED_HOSTS=a:1'] },
  { rule: 'the migration of the schema alone has the password of the owner, and needs no other secret than the service\'s', changes: change(pod, 'omit .Values.secrets "MIGRATION_DATABASE_URL"', '.Values.secrets') },
  { rule: 'API and workers listen where others reach them', changes: change(pod, '"PLATFORM_HOST" .Values.listenHost', '"PLATFORM_HOST" "127.0.0.1"') },
  { rule: 'the platform API answers to those who call it: kubelet and Prometheus by a pod\'s address, the cluster by the names of its Service', changes: change(pod, 'list "" ".svc" ', 'list "" ') },
  { rule: 'API and workers listen where others reach them', changes: change(pod, '"WORKER_PORT" "4002"', '"WORKER_PORT" "4004"') },
  { rule: 'every group of workers says its queues, and every queue has one', changes: change('templates/workers.yaml', 'join "," $worker.queues | quote', '"workflows"') },
  { rule: 'every pod is shut in both directions, but for what a policy opens', args: ['--set', 'networkPolicy.enabled=false'] },
  { rule: 'every pod is shut in both directions, but for what a policy opens', changes: change('templates/networkpolicies.yaml', 'policyTypes: [Ingress, Egress]', 'policyTypes: [Ingress]') },
  { rule: 'the platform API and the workers are reached from named namespaces alone', changes: change('templates/networkpolicies.yaml', 'port: 4003 }', 'port: 4003 }\n        - { protocol: TCP, port: 4001 }') },
  { rule: 'the public API and the apps\' listener are reached', changes: change('templates/networkpolicies.yaml', 'port: 4003 }', 'port: 4005 }') },
  { rule: 'nothing that the program refuses as private is reached as a public address', changes: change('templates/_egress.tpl', '          - 100.64.0.0/10\n', '') },
  { rule: 'nothing that the program refuses as private is reached as a public address', changes: change('templates/_egress.tpl', 'cidr: 2000::/3', 'cidr: ::/0') },
  { rule: 'API and workers reach receivers at public addresses', changes: change('templates/_egress.tpl', '172.16.0.0/12', '172.0.0.0/8') },
  { rule: 'API and workers reach receivers at public addresses', changes: change('templates/networkpolicies.yaml', '{{- include "institution.egressToPublic" dict | nindent 4 }}', '') },
  { rule: 'every pod reaches the DNS', changes: change('templates/networkpolicies.yaml', '{{- include "institution.egressToDns" . | nindent 4 }}', '') },
  { rule: 'what selects pods finds some', changes: change('templates/services.yaml', 'institution/worker: "true"', 'institution/worker: "yes"') },
  { rule: 'a Deployment selects pods of its own alone', args: ['--set', 'workers.draining[0].tag=0.12.0'], changes: change('templates/_workers.tpl', 'institution/build: {{ include "institution.slug" .tag | quote }}', '') },
  { rule: 'every Deployment has a disruption budget, one at a time', args: ['--set', 'podDisruptionBudget.enabled=false'] },
  { rule: 'an autoscaler scales a Deployment that is there, and that has no number of pods of its own', changes: change('templates/autoscaling.yaml', 'name: {{ include "institution.workerName" (dict "root" $ "group" $group "tag" (include "institution.scaledTag" $)) }} }', 'name: institution-worker-{{ $group }} }') },
  { rule: 'an autoscaler scales a Deployment that is there, and that has no number of pods of its own', changes: change('templates/api.yaml', '{{- if not .Values.api.autoscaling.enabled }}', '{{- if true }}') },
  { rule: 'a Service leads to a port that its pods have', changes: change('templates/services.yaml', '"apps" 4003', '"apps" 4000') },
  { rule: 'an Ingress never leads to the platform API', changes: change('templates/ingress.yaml', 'name: {{ include "institution.name" $ }}-{{ $name }}, port: { name: {{ $port }} }', 'name: {{ include "institution.name" $ }}-platform, port: { name: platform }') },
  { rule: 'the migration runs before everything else, once its ServiceAccount and its network policy are there', changes: change('templates/migration.yaml', 'serviceAccountName: {{ $name }}', 'serviceAccountName: {{ include "institution.name" $ }}') },
  { rule: 'the migration runs before everything else, once its ServiceAccount and its network policy are there', args: ['--set', 'migration.enabled=false'] },
  { rule: 'every pod has a ServiceAccount of the chart', changes: change('templates/workers.yaml', 'serviceAccountName: {{ include "institution.name" $ }}', 'serviceAccountName: default') },
  { rule: 'metrics are scraped from a Service of the chart, as the jobs that the alerts know', changes: change('templates/monitoring.yaml', '"job" "institution-worker"', '"job" "workers"') },
  { rule: 'the alerts of groups ask for labels that workers are scraped with', changes: change('templates/monitoring.yaml', 'build="{{ include "institution.slug"', 'build="v{{ include "institution.slug"') },
  { rule: 'the alerts of groups ask for labels that workers are scraped with', changes: change('templates/monitoring.yaml', 'targetLabel: build', 'targetLabel: version') },
  { rule: 'metrics are scraped from a Service of the chart, as the jobs that the alerts know', changes: change('templates/services.yaml', 'institution/listener: {{ $name }}', 'institution/port: {{ $name }}') },
];
