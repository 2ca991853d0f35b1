{{- define "svc.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "svc.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* What pods are selected by: (dict "root" $ "component" "server"). */}}
{{- define "svc.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* The level "restricted" of the Pod Security Standards. */}}
{{- define "svc.podSecurity" -}}
automountServiceAccountToken: false
# The variables that Kubernetes makes for a Service begin with its name, as ours do.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "svc.containerSecurity" -}}
image: {{ include "svc.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "svc.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "svc.serviceAccount" -}}
{{ include "svc.fullname" . }}
{{- end }}

{{/* How the servers are reached inside of the cluster. */}}
{{- define "svc.scheme" -}}
{{ ternary "http" "https" (empty .Values.server.tlsSecret) }}
{{- end }}

{{/* Names of the cluster are looked up at its DNS, whatever its address is. */}}
{{- define "svc.dnsEgress" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}

{{/* Each adapter that is enabled, by name: what it is and what differs. */}}
{{- define "svc.adapters" -}}
{{- with .Values.adapters.checkgw }}{{ if .enabled }}
checkgw:
  program: svc-checkgw
  port: 9004
  metricsPort: 9104
  replicas: {{ .replicas }}
  hostsVariable: SVC_CHECKGW_ALLOWED_HOSTS
  allowFrom: {{ toJson .allowFrom }}
  env: {{ toJson .env }}
{{- end }}{{ end }}
{{- with .Values.adapters.extproc }}{{ if .enabled }}
extproc:
  program: svc-extproc
  port: 9002
  metricsPort: 9102
  replicas: {{ .replicas }}
  hostsVariable: SVC_EXTPROC_ALLOWED_HOSTS
  allowFrom: {{ toJson .allowFrom }}
  tlsSecret: {{ .tlsSecret | quote }}
  routes: {{ .routes | toJson }}
  env: {{ toJson .env }}
{{- end }}{{ end }}
{{- $names := dict }}
{{- range .Values.adapters.mcpProxies }}
{{- if hasKey $names .name }}{{ fail (printf "adapters.mcpProxies: two entries have the name %s; give each its own" .name) }}{{ end }}
{{- $_ := set $names .name true }}
mcp-{{ .name }}:
  program: svc-mcp-proxy
  port: 9003
  metricsPort: 9103
  replicas: {{ .replicas | default 1 }}
  hostsVariable: SVC_MCP_ALLOWED_HOSTS
  allowFrom: {{ toJson (.allowFrom | default list) }}
  reachesAnywhere: true
  sticky: true
  env: {{ toJson (merge (dict "SVC_MCP_UPSTREAM_URL" .upstreamUrl) (ternary (dict "SVC_AGENT_ID" .agentId) (dict) (not (empty .agentId))) (.env | default dict)) }}
{{- end }}
{{- end }}
