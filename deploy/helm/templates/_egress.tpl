{{/* A rule for one of networkPolicy.egress, unless it has no peers. */}}
{{- define "institution.egressTo" -}}
{{- if .to }}
- to:
    {{- toYaml .to | nindent 4 }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ include "institution.text" . }} }
    {{- end }}
{{- end }}
{{- end }}

{{- define "institution.egressToDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}

{{/*
Public addresses alone, on the ports of (dict "ports" …), or any: receivers of webhooks, which workers post to and the API pings; identity provider, bucket,
mail server, Temporal Cloud. What the program refuses as private (domain/webhooks/addresses.ts) is refused here once more.
*/}}
{{- define "institution.egressToPublic" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          - 0.0.0.0/8
          - 10.0.0.0/8
          - 100.64.0.0/10
          - 127.0.0.0/8
          - 168.63.129.16/32
          - 169.254.0.0/16
          - 172.16.0.0/12
          - 192.0.0.0/24
          - 192.0.2.0/24
          - 192.31.196.0/24
          - 192.52.193.0/24
          - 192.88.99.0/24
          - 192.168.0.0/16
          - 192.175.48.0/24
          - 198.18.0.0/15
          - 198.51.100.0/24
          - 203.0.113.0/24
          - 224.0.0.0/4
          - 240.0.0.0/4
    - ipBlock:
        # IPv6 unicast is allocated from here only.
        cidr: 2000::/3
        except:
          - 2001::/23
          - 2001:db8::/32
          - 2002::/16
          - 2620:4f:8000::/48
          - 3fff::/20
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ include "institution.text" . }} }
    {{- else }}
    - { protocol: TCP, port: 1, endPort: 65535 }
    {{- end }}
{{- end }}
