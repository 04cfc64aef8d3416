{{/* The name of a worker's Deployment, by (dict "root" $ "group" … "tag" …): with its version where versions run next to each other. */}}
{{- define "institution.workerName" -}}
{{- $name := printf "%s-worker-%s" (include "institution.name" .root) .group -}}
{{- if .root.Values.temporal.versioning.enabled }}{{ printf "%s-%s" $name (include "institution.slug" .tag) }}{{ else }}{{ $name }}{{ end -}}
{{- end }}

{{/* The labels that select the pods of one worker Deployment, by (dict "root" $ "component" … "tag" …). */}}
{{- define "institution.workerSelector" -}}
{{ include "institution.selector" . }}
{{- if .root.Values.temporal.versioning.enabled }}
institution/build: {{ include "institution.slug" .tag | quote }}
{{- end }}
{{- end }}
