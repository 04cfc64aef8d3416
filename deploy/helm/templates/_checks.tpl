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
{{- if not (has (include "institution.slug" (include "institution.scaledTag" .)) $slugs) }}{{ fail "workers.scaledTag must be image.tag or a tag of workers.draining" }}{{ end }}
{{- include "institution.digestChecks" . }}
{{- include "institution.sizeChecks" . }}
{{- include "institution.endChecks" (dict "root" $ "slugs" (ternary $slugs list .Values.temporal.versioning.enabled)) }}
{{- $polled := list }}
{{- range $group, $worker := .Values.workers.groups }}{{ $polled = concat $polled $worker.queues }}{{ end }}
{{- range $queue := list "workflows" "attempts" "emails" }}
{{- if not (has $queue $polled) }}{{ fail (printf "workers.groups has no worker for the queue %s: its work would wait forever" $queue) }}{{ end }}
{{- end }}
{{- end }}

{{/* An image is pinned for each version or for none: a tag with the digest of another version runs that one under a build id that is not its own. */}}
{{- define "institution.digestChecks" -}}
{{- $digests := list (dict "what" "image" "digest" .Values.image.digest) }}
{{- if .Values.api.image.tag }}{{ $digests = append $digests (dict "what" (printf "api.image (%s)" .Values.api.image.tag) "digest" (include "institution.apiDigest" .) "mayRepeat" true) }}{{ end }}
{{- range .Values.workers.draining }}{{ $digests = append $digests (dict "what" (printf "workers.draining (%s)" .tag) "digest" (.digest | default "")) }}{{ end }}
{{- $seen := list }}
{{- range $digests }}
{{- if ne (empty .digest) (empty $.Values.image.digest) }}{{ fail (printf "%s must have a digest if image.digest is set, and none otherwise" .what) }}{{ end }}
{{- if and .digest (has .digest $seen) (not .mayRepeat) }}{{ fail (printf "%s has the digest of another version: give each tag its own" .what) }}{{ end }}
{{- if not .mayRepeat }}{{ $seen = append $seen .digest }}{{ end }}
{{- end }}
{{- end }}

{{/* Numbers that Kubernetes would refuse once the migration has run, or that leave uploads no room. */}}
{{- define "institution.sizeChecks" -}}
{{- $scaled := dict "api" .Values.api.autoscaling }}
{{- range $group, $worker := .Values.workers.groups }}{{ $_ := set $scaled (printf "workers.groups.%s" $group) $worker.autoscaling }}{{ end }}
{{- range $what, $scaling := $scaled }}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) }}{{ fail (printf "%s.autoscaling.minReplicas must be at most its maxReplicas" $what) }}{{ end }}
{{- end }}
{{- $minimum := include "institution.text" (.Values.settings.MINIMUM_FREE_BYTES | default 2147483648) | int64 }}
{{- if and .Values.spool.storageClassName (not .Values.fileStore.existingClaim) (le (include "institution.bytes" .Values.spool.sizeLimit | int64) $minimum) }}{{ fail (printf "spool.sizeLimit must be more than settings.MINIMUM_FREE_BYTES, %d, with spool.storageClassName: otherwise every upload is refused" $minimum) }}{{ end }}
{{- end }}

{{/* Workers whose workflows would wait for ever, by (dict "root" $ "slugs" …), as far as Helm has a cluster: in `helm template` it has none. */}}
{{- define "institution.endChecks" -}}
{{- $stay := .slugs }}
{{- range .root.Values.workers.mayEnd }}{{ $stay = append $stay (include "institution.slug" .) }}{{ end }}
{{- if not .root.Values.temporal.versioning.enabled }}{{ $stay = append $stay "unversioned" }}{{ end }}
{{- range (lookup "apps/v1" "Deployment" .root.Release.Namespace "" | default dict).items }}
{{- $labels := dig "spec" "template" "metadata" "labels" dict . }}
{{- $build := get $labels "institution/build" | default "unversioned" }}
{{- if and (eq (get $labels "app.kubernetes.io/instance") $.root.Release.Name) (eq (get $labels "institution/worker") "true") (not (has $build $stay)) (gt (dig "spec" "replicas" 0 . | int) 0) }}
{{- fail (printf "%s would go, with the workflows that began on it: name its tag in workers.draining, or, once it has drained, in workers.mayEnd (%s)" .metadata.name $build) }}
{{- end }}
{{- end }}
{{- end }}
