{{/* What all objects of a release begin with: the release's name, which has the chart's name in it. */}}
{{- define "magpie.name" -}}
{{- ternary .Release.Name (printf "%s-magpie" .Release.Name) (contains "magpie" .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Labels by which pods of this release are chosen. */}}
{{- define "magpie.selector" -}}
app.kubernetes.io/name: magpie
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of every object. */}}
{{- define "magpie.labels" -}}
{{ include "magpie.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "magpie.image" -}}
{{- $image := .image -}}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default .chart.AppVersion }}{{ end -}}
{{- end }}

{{/* `host`, or a word on what is missing. */}}
{{- define "magpie.host" -}}
{{- required "Set `host` to the name by which clients ask, such as magpie.example.com; or turn `ingress` and `gateway` off." .Values.host -}}
{{- end }}
