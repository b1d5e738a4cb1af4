{{- define "spooled.labels" -}}
app.kubernetes.io/part-of: spooled
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Metadata of an object: dict "root" $ "name" … */}}
{{- define "spooled.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  app.kubernetes.io/name: {{ .name }}
  {{- include "spooled.labels" .root | nindent 2 }}
{{- end }}

{{- define "spooled.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* Image of a container: dict "root" $ "name" … */}}
{{- define "spooled.image" -}}
image: {{ .root.Values.image.repository }}/{{ .name }}:{{ include "spooled.tag" .root }}
{{- with .root.Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- end }}

{{- define "spooled.restricted" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "spooled.restrictedContainer" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* A value of a secret: dict "secret" … "key" … "optional" … */}}
{{- define "spooled.secretEnv" -}}
- name: {{ .key }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }}{{ if .optional }}, optional: true{{ end }} } }
{{- end }}

{{- define "spooled.strategy" -}}
type: RollingUpdate
rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
{{- end }}

{{- /* Annotations of the pods: what they read at start, so that a change of it replaces them. */}}
{{- define "spooled.podAnnotations" -}}
spooled/secrets-revision: {{ .Values.secrets.revision | quote }}
{{- range list .Values.secrets.services .Values.secrets.database }}
{{- with lookup "v1" "Secret" $.Release.Namespace . }}
checksum/{{ .metadata.name }}: {{ .data | toJson | sha256sum }}
{{- end }}
{{- end }}
checksum/settings: {{ list (include "spooled.settings" .) .Values.postgres (.Files.Get "files/pgbouncer.ini") | toJson | sha256sum }}
{{- with .Values.pods.annotations }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Where pods run. */}}
{{- define "spooled.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- /* Replicas of one service and version on different nodes and, if possible, in different zones. */}}
{{- define "spooled.spread" -}}
topologySpreadConstraints:
  - topologyKey: kubernetes.io/hostname
    maxSkew: 1
    whenUnsatisfiable: {{ eq .Values.pods.spread "required" | ternary "DoNotSchedule" "ScheduleAnyway" }}
    # Nodes that refuse the pod do not count: cordoned and tainted ones would leave it pending.
    nodeTaintsPolicy: Honor
    labelSelector: { matchLabels: { app.kubernetes.io/part-of: spooled } }
    matchLabelKeys: [app.kubernetes.io/name, pod-template-hash]
  - topologyKey: topology.kubernetes.io/zone
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    nodeTaintsPolicy: Honor
    labelSelector: { matchLabels: { app.kubernetes.io/part-of: spooled } }
    matchLabelKeys: [app.kubernetes.io/name, pod-template-hash]
{{- end }}

{{- define "spooled.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: metrics }
  periodSeconds: 1
  failureThreshold: 60
# Checks only the process: a database outage must not restart every pod.
livenessProbe:
  httpGet: { path: /health/live, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ .readiness | quote }}, port: metrics }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
lifecycle:
  # Keep serving until every proxy has removed this pod.
  preStop: { exec: { command: [sleep, '5'] } }
{{- end }}

{{- define "spooled.verifiesPostgres" -}}
{{- if hasPrefix "verify-" .Values.postgres.tls }}true{{ end }}
{{- end }}

{{- define "spooled.postgresAuthority" -}}
- name: postgres-authority
  {{- if .Values.postgres.authority.secret }}
  secret: { secretName: {{ .Values.postgres.authority.secret }} }
  {{- else }}
  configMap: { name: {{ .Values.postgres.authority.configMap }} }
  {{- end }}
{{- end }}

{{- define "spooled.postgresAuthorityMount" -}}
- { name: postgres-authority, mountPath: /etc/postgres-authority, readOnly: true }
{{- end }}

{{- /* Settings by name as texts: an integer from a file must not become 2e+06. */}}
{{- define "spooled.settingsOf" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ kindIs "float64" $value | ternary ($value | toJson) ($value | toString) | quote }}
{{- end }}
{{- end }}

{{- define "spooled.settings" -}}
{{- include "spooled.settingsOf" .Values.settings }}
{{- end }}

{{- define "spooled.budget" }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "spooled.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: { app.kubernetes.io/name: {{ .name }} }
{{- end }}
