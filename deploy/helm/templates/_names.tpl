{{/* The name of everything: the release's. */}}
{{- define "institution.name" -}}
{{- .Release.Name | trunc 24 | trimSuffix "-" -}}
{{- end }}

{{/* A version as a part of names and labels: 0.14.0 is 0-14-0. What is cut off of a long one is told apart by its hash. */}}
{{- define "institution.slug" -}}
{{- $whole := regexReplaceAll "[^a-z0-9]+" (lower .) "-" | trimAll "-" -}}
{{- if le (len $whole) 20 }}{{ $whole }}{{ else }}{{ trunc 13 $whole | trimAll "-" }}-{{ sha256sum . | trunc 6 }}{{ end -}}
{{- end }}

{{- define "institution.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end }}

{{/* An image by (dict "root" $ "tag" … "digest" …). */}}
{{- define "institution.image" -}}
{{- if eq .tag "latest" }}{{ fail "image.tag must name a version, not latest: it is the build id of the workers, and a rollback needs it" }}{{ end -}}
{{- .root.Values.image.repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end -}}
{{- end }}

{{/* The digest of the API's image: of its own tag, which an upgrade gives it, that of the workers who drain with it. */}}
{{- define "institution.apiDigest" -}}
{{- $digest := .Values.api.image.digest -}}
{{- if not .Values.api.image.tag }}{{ $digest = .Values.image.digest }}{{ end -}}
{{- range .Values.workers.draining }}{{ if and (not $digest) (eq .tag $.Values.api.image.tag) }}{{ $digest = .digest | default "" }}{{ end }}{{ end -}}
{{- $digest -}}
{{- end }}

{{/* Labels that select, by (dict "root" $ "component" …). */}}
{{- define "institution.selector" -}}
app.kubernetes.io/name: institution-api
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Labels of pods, by the same and (dict "tag" …): nothing of the chart, so that a new chart does not restart them. */}}
{{- define "institution.podLabels" -}}
{{ include "institution.selector" . }}
app.kubernetes.io/version: {{ .tag | default (include "institution.tag" .root) | trunc 63 | trimAll "._-" | replace "+" "_" | quote }}
{{- end }}

{{- define "institution.labels" -}}
{{ include "institution.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* A value as the text of a variable: Helm reads large whole numbers as 5.24288e+07. */}}
{{- define "institution.text" -}}
{{- if not (kindIs "float64" .) }}{{ . }}{{ else if eq . (floor .) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* A number of seconds as a quantity of Kubernetes, which has thousandths and no point. */}}
{{- define "institution.milli" -}}
{{- round (mulf 1000 .) 0 | int64 }}m
{{- end }}

{{/* A quantity of Kubernetes in bytes. */}}
{{- define "institution.bytes" -}}
{{- $units := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $text := include "institution.text" . -}}
{{- mulf (regexFind "^[0-9.]+" $text | float64) (get $units (regexFind "[A-Za-z]*$" $text) | default 1) | int64 -}}
{{- end }}

{{/* The task queue of one of WORKER_QUEUES, by (dict "root" $ "queue" …). */}}
{{- define "institution.taskQueue" -}}
{{- $suffix := get (dict "workflows" "" "attempts" "-webhooks" "emails" "-letters") .queue -}}
{{- .root.Values.settings.TASK_QUEUE | default "institution" }}{{ $suffix -}}
{{- end }}

{{/* Seconds that a process has after SIGTERM: its own timeout, the 4 s in which it then gives up and closes, and some to spare. */}}
{{- define "institution.stopSeconds" -}}
{{- $timeoutMs := include "institution.text" (.Values.settings.SHUTDOWN_TIMEOUT_MS | default 35000) | int64 -}}
{{- add (div (add $timeoutMs 999) 1000) 18 -}}
{{- end }}
