{{/* Labels that Helm's users look for. They are in no selector: those are the base's. */}}
{{- define "tarneeb.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "tarneeb.image" -}}
{{- with .Values.image }}
{{- if .digest }}
{{- printf "%s@%s" .repository .digest | toJson }}
{{- else }}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) | toJson }}
{{- end }}
{{- end }}
{{- end }}

{{/* A setting as text: 1048576 may come as a number, which Go would print as 1.048576e+06. */}}
{{- define "tarneeb.text" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}

{{/* The kubelet must not kill a pod that still drains; what is unset is at the service's default. */}}
{{- define "tarneeb.checkSeconds" -}}
{{- $settings := .values.settings }}
{{- $drain := get $settings "TARNEEB_DRAIN_SECONDS" | toString | default "5" | float64 }}
{{- $grace := get $settings "TARNEEB_GRACE_SECONDS" | toString | default "10" | float64 }}
{{- $needed := addf $drain $grace .besides }}
{{- if gt $needed (float64 .values.terminationGracePeriodSeconds) }}
{{- fail (printf "terminationGracePeriodSeconds must be at least %v: drain %v + grace %v + %v around them" $needed $drain $grace .besides) }}
{{- end }}
{{- end }}
