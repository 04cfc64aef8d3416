{{- define "institution.podSecurity" -}}
runAsNonRoot: true
# The user "node" of the image.
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "institution.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A variable from a Secret, by (dict "name" … "from" …). */}}
{{- define "institution.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .from.existingSecret }}
      key: {{ .from.key | default .name }}
{{- end }}

{{/* The variables that every process has, but for those of one kind of process. */}}
{{- define "institution.env" -}}
{{- $files := "/etc/institution" -}}
{{/* How others in the cluster call the platform API: by its Service. Probes and Prometheus call pods by their addresses. */}}
{{- $service := printf "%s-platform" (include "institution.name" .) -}}
{{- $names := list $service }}{{ range list "" ".svc" ".svc.cluster.local" }}{{ $names = append $names (printf "%s.%s%s" $service $.Release.Namespace .) }}{{ end -}}
{{- $own := dict
  "HOST" .Values.listenHost "PORT" "4000" "PLATFORM_HOST" .Values.listenHost "PLATFORM_NAMES" (join "," $names) "PLATFORM_PORT" "4001" "WORKER_PORT" "4002" "APP_PORT" "4003" -}}
{{- with .Values.temporal.tls }}
{{- if .existingSecret }}
{{- with .caKey }}{{ $_ := set $own "TEMPORAL_TLS_CA_FILE" (printf "%s/temporal-tls/%s" $files .) }}{{ end }}
{{- with .certKey }}{{ $_ := set $own "TEMPORAL_TLS_CERT_FILE" (printf "%s/temporal-tls/%s" $files .) }}{{ end }}
{{- if .certKey }}{{ $_ := set $own "TEMPORAL_TLS_KEY_FILE" (printf "%s/temporal-tls/%s" $files .keyKey) }}{{ end }}
{{- end }}
{{- with .serverName }}{{ $_ := set $own "TEMPORAL_TLS_SERVER_NAME" . }}{{ end }}
{{- end }}
{{- with .Values.temporal.apiKey }}{{ if .existingSecret }}{{ $_ := set $own "TEMPORAL_API_KEY_FILE" (printf "%s/temporal-api-key/%s" $files .key) }}{{ end }}{{ end }}
{{- if .Values.certificates.existingSecret }}{{ $_ := set $own "NODE_EXTRA_CA_CERTS" (printf "%s/certificates/%s" $files .Values.certificates.key) }}{{ end }}
{{- range $name, $value := .Values.settings }}{{ $_ := set $own $name $value }}{{ end }}
{{- range $name, $value := $own }}
- name: {{ $name }}
  value: {{ include "institution.text" $value | quote }}
{{- end }}
{{- range $name, $from := omit .Values.secrets "MIGRATION_DATABASE_URL" }}
{{ include "institution.secretVariable" (dict "name" $name "from" $from) }}
{{- end }}
{{- end }}

{{/* Where uploads and archives are received: with a folder store on its own file system, so that they are renamed, not copied. */}}
{{- define "institution.spoolVariable" -}}
- name: UPLOAD_SPOOL_FOLDER
  value: {{ ternary "/data/spool" "/spool" (ne .Values.fileStore.existingClaim "") }}
{{- if not (or .Values.fileStore.existingClaim .Values.spool.storageClassName) }}
# Of an emptyDir the disk says what the node has. A tenth remains for what is written between two looks.
- name: SPOOL_MAX_BYTES
  value: {{ mulf 0.9 (include "institution.bytes" .Values.spool.sizeLimit) | int64 | quote }}
{{- end }}
{{- end }}

{{- define "institution.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.fileStore.existingClaim }}
- name: files
  mountPath: /data
{{- else }}
- name: spool
  mountPath: /spool
{{- end }}
{{- include "institution.certificateMounts" . }}
{{- end }}

{{/* Begins with a line break, unless it is empty. */}}
{{- define "institution.certificateMounts" -}}
{{- if .Values.temporal.tls.existingSecret }}
- name: temporal-tls
  mountPath: /etc/institution/temporal-tls
  readOnly: true
{{- end }}
{{- if .Values.temporal.apiKey.existingSecret }}
- name: temporal-api-key
  mountPath: /etc/institution/temporal-api-key
  readOnly: true
{{- end }}
{{- if .Values.certificates.existingSecret }}
- name: certificates
  mountPath: /etc/institution/certificates
  readOnly: true
{{- end }}
{{- end }}

{{- define "institution.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if .Values.fileStore.existingClaim }}
- name: files
  persistentVolumeClaim:
    claimName: {{ .Values.fileStore.existingClaim }}
{{- else if .Values.spool.storageClassName }}
- name: spool
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ .Values.spool.storageClassName }}
        resources:
          requests:
            storage: {{ .Values.spool.sizeLimit }}
{{- else }}
- name: spool
  emptyDir:
    sizeLimit: {{ .Values.spool.sizeLimit }}
{{- end }}
{{- include "institution.certificateVolumes" . }}
{{- end }}

{{/* Secrets are mounted as folders, without subPath: only so do files change when a Secret changes. */}}
{{- define "institution.certificateVolumes" -}}
{{- with .Values.temporal.tls.existingSecret }}
- name: temporal-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- with .Values.temporal.apiKey.existingSecret }}
- name: temporal-api-key
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- with .Values.certificates.existingSecret }}
- name: certificates
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{/* Probes of a process, by the name of its port. A start may wait for Postgres; a busy process is not killed for a slow answer. */}}
{{- define "institution.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
# It asks the stores for up to 2 s. All pods lose a store at once, and no endpoint is no better than a 503 with Retry-After: a minute
# lets a store fail over.
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 12
{{- end }}

{{/* Pods of a component on different nodes and zones, by its labels. */}}
{{- define "institution.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- $.selector | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}

{{/* Where the pods of a part run and how they look up names, by the part's values. */}}
{{- define "institution.placement" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" "priorityClassName" "dnsConfig" }}
{{- with index $ $name }}
{{ $name }}:{{ if kindIs "string" . }} {{ . | quote }}{{ else }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
