{{- /* What distinguishes the services; values cannot change it. `secrets` and `optional` are keys of the secret of services. */}}
{{- define "spooled.services" -}}
gateway:
  secrets: [ADMIN_API_KEY, JWT_SECRET]
  optional: [JWT_SECRET_PREVIOUS, API_KEY_PEPPER, DATABASE_LISTEN_URL, DATABASE_REPLICA_URL, OIDC_CLIENT_SECRET]
  env: { REALTIME_URL: 'http://realtime:8080', WEBHOOKS_URL: 'http://webhooks:8080' }
  http: true
  grpc: true
  # A database outage concerns all gateways alike: ready gateways answer 503, without ready pods connections would fail.
  readiness: /health/ready?exclude=database
engine: {}
scheduler: {}
webhooks:
  optional:
    - DATABASE_LISTEN_URL
    - GITHUB_WEBHOOK_SECRET
    - GITHUB_WEBHOOK_SECRET_PREVIOUS
    - STRIPE_WEBHOOK_SECRET
    - STRIPE_WEBHOOK_SECRET_PREVIOUS
  http: true
realtime:
  secrets: [JWT_SECRET]
  optional: [JWT_SECRET_PREVIOUS, API_KEY_PEPPER]
  http: true
{{- end }}

{{- /* Environment of a service: dict "root" $ "name" … "values" … "facts" … */}}
{{- define "spooled.env" -}}
{{- $secret := .root.Values.secrets.services }}
{{- range concat (list "DATABASE_URL" "DATABASE_SYSTEM_URL" "REDIS_URL") (.facts.secrets | default list) }}
{{ include "spooled.secretEnv" (dict "secret" $secret "key" .) }}
{{- end }}
{{- range concat (list "METRICS_TOKEN" "REDIS_SHARDS") (.facts.optional | default list) }}
{{ include "spooled.secretEnv" (dict "secret" $secret "key" . "optional" true) }}
{{- end }}
{{- range $name, $value := merge (dict) .values.settings (.facts.env | default dict) }}
- name: {{ $name }}
  value: {{ kindIs "float64" $value | ternary ($value | toJson) ($value | toString) | quote }}
{{- end }}
{{- if .root.Values.redis.authority.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/redis-authority/{{ .root.Values.redis.authority.key }}
{{- end }}
{{- end }}

{{- define "spooled.serviceVolumes" -}}
{{- $direct := and (not .Values.pgbouncer.enabled) (include "spooled.verifiesPostgres" .) -}}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.redis.authority.configMap }}
  - { name: redis-authority, mountPath: /etc/redis-authority, readOnly: true }
  {{- end }}
  {{- if $direct }}
  {{- include "spooled.postgresAuthorityMount" . | nindent 2 }}
  {{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
  {{- with .Values.redis.authority.configMap }}
  - name: redis-authority
    configMap: { name: {{ . }} }
  {{- end }}
  {{- if $direct }}
  {{- include "spooled.postgresAuthority" . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* A Deployment: dict "root" $ "name" … "values" … "facts" … "container" … */}}
{{- define "spooled.deployment" }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "spooled.metadata" . | nindent 2 }}
    {{- if ne .name "console" }}
    spooled/service: 'true'
    {{- end }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    {{- include "spooled.strategy" .root | nindent 4 }}
  selector:
    matchLabels: { app.kubernetes.io/name: {{ .name }} }
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {{ .name }}
        app.kubernetes.io/part-of: spooled
        {{- if ne .name "console" }}
        spooled/service: 'true'
        {{- end }}
      annotations:
        {{- include "spooled.podAnnotations" .root | nindent 8 }}
    spec:
      serviceAccountName: spooled
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 35
      securityContext:
        {{- include "spooled.restricted" .root | nindent 8 }}
      {{- include "spooled.placement" .root | nindent 6 }}
      {{- include "spooled.spread" .root | nindent 6 }}
      {{- $volumes := include "spooled.serviceVolumes" .root | fromYaml }}
      containers:
        - name: {{ ne .name "console" | ternary "service" "console" }}
          {{- include "spooled.image" . | nindent 10 }}
          # Settings of all services; each reads those that it declares.
          envFrom:
            - configMapRef: { name: spooled-settings }
          env:
            {{- if eq .name "console" }}
            # No traces: the pods serve only files, and no policy lets them reach a collector.
            - { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: '' }
            {{- else }}
            {{- include "spooled.env" . | nindent 12 }}
            {{- end }}
          ports:
            - { name: metrics, containerPort: 9090 }
            {{- if .facts.http }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            {{- if .facts.grpc }}
            - { name: grpc, containerPort: 50051 }
            {{- end }}
          {{- include "spooled.probes" (dict "readiness" (.facts.readiness | default "/health/ready")) | nindent 10 }}
          # No CPU limits: throttling adds latency, and CPU requests already share the CPU fairly.
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            {{- include "spooled.restrictedContainer" .root | nindent 12 }}
          volumeMounts:
            {{- toYaml (eq .name "console" | ternary (slice $volumes.volumeMounts 0 1) $volumes.volumeMounts) | nindent 12 }}
      volumes:
        {{- toYaml (eq .name "console" | ternary (slice $volumes.volumes 0 1) $volumes.volumes) | nindent 8 }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "spooled.metadata" . | nindent 2 }}
spec:
  selector: { app.kubernetes.io/name: {{ .name }} }
  ports:
    {{- if .facts.http }}
    - { name: http, port: 8080, targetPort: http }
    {{- end }}
    {{- if .facts.grpc }}
    - { name: grpc, port: 50051, targetPort: grpc, appProtocol: kubernetes.io/h2c }
    {{- end }}
    - { name: metrics, port: 9090, targetPort: metrics }
{{- if .root.Values.disruptionBudgets.enabled }}
{{- include "spooled.budget" . }}
{{- end }}
{{- end }}
