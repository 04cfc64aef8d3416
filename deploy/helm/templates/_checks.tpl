{{/* What values.schema.json cannot say, because it is about two values at once. */}}
{{- define "institution.checks" -}}
{{- $settings := .Values.settings }}
{{- $tls := or .Values.temporal.tls.existingSecret .Values.temporal.apiKey.existingSecret }}
{{- if and $tls (ne (toString $settings.TEMPORAL_TLS) "true") }}{{ fail "settings.TEMPORAL_TLS must be true with temporal.tls.existingSecret or temporal.apiKey.existingSecret" }}{{ end }}
{{- if and (hasPrefix "file:" $settings.FILE_STORE_URL) (eq .Values.fileStore.existingClaim "") }}{{ fail "fileStore.existingClaim must name a claim that all pods mount at /data, because settings.FILE_STORE_URL is a folder; or set a bucket" }}{{ end }}
{{- if and (hasPrefix "file:" $settings.FILE_STORE_URL) (not (hasPrefix "file:///data/" $settings.FILE_STORE_URL)) }}{{ fail "settings.FILE_STORE_URL must be a folder below file:///data/, where fileStore.existingClaim is mounted" }}{{ end }}
{{- if and .Values.ingress.apps.enabled (not $settings.TRUSTED_PROXIES) }}{{ fail "settings.TRUSTED_PROXIES must name the network of the ingress controller's pods with ingress.apps: otherwise all people share one client address, and its limits" }}{{ end }}
{{- if and .Values.workers.draining (not .Values.temporal.versioning.enabled) }}{{ fail "workers.draining needs temporal.versioning.enabled: without versions no worker has workflows of its own to finish" }}{{ end }}
{{- $slugs := list (include "institution.slug" (include "institution.tag" .)) }}
{{- range .Values.workers.draining }}
{{- if has (include "institution.slug" .tag) $slugs }}{{ fail (printf "workers.draining names %s, which is image.tag or stands there twice" .tag) }}{{ end }}
{{- $slugs = append $slugs (include "institution.slug" .tag) }}
{{- end }}
{{- $polled := list }}
{{- range $group, $worker := .Values.workers.groups }}{{ $polled = concat $polled $worker.queues }}{{ end }}
{{- range $queue := list "workflows" "attempts" "emails" }}
{{- if not (has $queue $polled) }}{{ fail (printf "workers.groups has no worker for the queue %s: its work would wait forever" $queue) }}{{ end }}
{{- end }}
{{- end }}
