{{/* The name of a worker's Deployment, by (dict "root" $ "group" … "tag" …): with its version where versions run next to each other. */}}
{{- define "institution.workerName" -}}
{{- $name := printf "%s-worker-%s" (include "institution.name" .root) .group -}}
{{- if .root.Values.temporal.versioning.enabled }}{{ printf "%s-%s" $name (include "institution.slug" .tag) }}{{ else }}{{ $name }}{{ end -}}
{{- end }}

{{/* The version whose workers are scaled: the one that has the workflows. */}}
{{- define "institution.scaledTag" -}}
{{- .Values.workers.scaledTag | default (include "institution.tag" .) -}}
{{- end }}

{{/* How many pods a Deployment has in the cluster, by (dict "root" $ "name" …): 0 if there is none, or if Helm has no cluster, as in `helm template`. */}}
{{- define "institution.livePods" -}}
{{- dig "spec" "replicas" 0 (lookup "apps/v1" "Deployment" .root.Release.Namespace .name | default dict) | int -}}
{{- end }}

{{/*
How many pods of a group a version gets, by (dict "root" $ "group" … "worker" … "version" (dict "tag" … "drains" … "replicas" …)); empty, as
many as the autoscaler says. A version that the autoscaler leaves alone keeps what it has, and a new one begins with what the others have:
all work moves to it. An autoscaled one repeats what it has, or Kubernetes would make it 1 where the number stood before.
*/}}
{{- define "institution.workerReplicas" -}}
{{- $root := .root }}{{ $group := .group }}{{ $worker := .worker }}{{ $version := .version -}}
{{- $tags := list (include "institution.tag" $root) }}{{ range $root.Values.workers.draining }}{{ $tags = append $tags .tag }}{{ end -}}
{{- $most := 0 }}{{ range $tags }}{{ $most = max $most (include "institution.livePods" (dict "root" $root "name" (include "institution.workerName" (dict "root" $root "group" $group "tag" .)))) }}{{ end -}}
{{- $own := include "institution.livePods" (dict "root" $root "name" (include "institution.workerName" (dict "root" $root "group" $group "tag" $version.tag))) | int -}}
{{- if not (kindIs "invalid" $version.replicas) }}{{ $version.replicas -}}
{{- else if and (not $worker.autoscaling.enabled) (not $version.drains) }}{{ $worker.replicas -}}
{{- else if not $worker.autoscaling.enabled }}{{ $own | default $worker.replicas -}}
{{- else if eq $version.tag (include "institution.scaledTag" $root) }}{{ with $own | default $most }}{{ max . $worker.autoscaling.minReplicas }}{{ end -}}
{{- else }}{{ ternary $own $most $version.drains | default $worker.autoscaling.maxReplicas }}{{ end -}}
{{- end }}

{{/* The labels that select the pods of one worker Deployment, by (dict "root" $ "component" … "tag" …). */}}
{{- define "institution.workerSelector" -}}
{{ include "institution.selector" . }}
{{- if .root.Values.temporal.versioning.enabled }}
institution/build: {{ include "institution.slug" .tag | quote }}
{{- end }}
{{- end }}
