{{/* The name of everything: the release's. */}}
{{- define "institution.name" -}}
{{- .Release.Name | trunc 24 | trimSuffix "-" -}}
{{- end }}

{{/* A version as a part of names and labels: 0.14.0 is 0-14-0. */}}
{{- define "institution.slug" -}}
{{- regexReplaceAll "[^a-z0-9]+" (lower .) "-" | trunc 20 | trimAll "-" -}}
{{- end }}

{{- define "institution.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end }}

{{/* An image by (dict "root" $ "tag" … "digest" …). */}}
{{- define "institution.image" -}}
{{- if eq .tag "latest" }}{{ fail "image.tag must name a version, not latest: it is the build id of the workers, and a rollback needs it" }}{{ end -}}
{{- .root.Values.image.repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end -}}
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
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
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
