{{- define "assay.name" -}}
{{- if contains "assay" .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-assay" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "assay.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "assay.isScaled" -}}
{{- if eq .Values.mode "scaled" }}true{{ end -}}
{{- end -}}

{{- /* Empty without any secret settings. */ -}}
{{- define "assay.secretName" -}}
{{- if .Values.existingSecret -}}
{{- .Values.existingSecret -}}
{{- else if .Values.secretSettings -}}
{{- include "assay.name" . -}}
{{- end -}}
{{- end -}}

{{- define "assay.scheme" -}}
{{- if .Values.ingress.tls }}https{{ else }}http{{ end -}}
{{- end -}}
