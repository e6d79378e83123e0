{{- /* The pods of both modes. */ -}}
{{- define "assay.pod" -}}
metadata:
  labels:
    {{- include "assay.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    checksum/secret: {{ toJson .Values.secretSettings | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "assay.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  # Then Assay is not the first process, which the kernel protects from signals while it starts, and from its own.
  shareProcessNamespace: true
  # The drain, and then a stop of less than ten seconds.
  terminationGracePeriodSeconds: {{ add (eq .Values.mode "scaled" | ternary .Values.drainSeconds 0) 20 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  containers:
    - name: assay
      image: {{ include "assay.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      ports:
        - name: tracing
          containerPort: 4600
        - name: chat
          containerPort: 4601
      {{- with include "assay.environment" . }}
      env:
        {{- . | nindent 8 }}
      {{- end }}
      {{- with include "assay.secretName" . }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      # A first start creates the tables of the databases.
      startupProbe:
        httpGet:
          path: /healthz
          port: tracing
        periodSeconds: 2
        failureThreshold: 150
      # A restart helps neither a full disk nor a database that is down, so this is not the readiness.
      livenessProbe:
        httpGet:
          path: /healthz
          port: tracing
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz?exclude=storage
          port: tracing
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 1
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if not (include "assay.isScaled" .) }}
        - name: data
          mountPath: /data
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
  {{- if include "assay.isScaled" . }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "assay.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* The given settings, and those that follow from other values. */ -}}
{{- define "assay.environment" -}}
{{- $derived := dict -}}
{{- if .Values.ingress.enabled -}}
{{- $_ := set $derived "ASSAY_BASE_URL" (printf "%s://%s" (include "assay.scheme" .) .Values.ingress.host) -}}
{{- $_ := set $derived "ASSAY_CHAT_BASE_URL" (printf "%s://%s" (include "assay.scheme" .) .Values.ingress.chatHost) -}}
{{- $_ := set $derived "ASSAY_TRUST_PROXY" "1" -}}
{{- end -}}
{{- if include "assay.isScaled" . -}}
{{- $_ := set $derived "ASSAY_DRAIN_SECONDS" (toString .Values.drainSeconds) -}}
{{- end -}}
{{- range $name, $value := merge (dict) .Values.settings $derived }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
