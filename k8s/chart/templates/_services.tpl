{{/*
What each service is told and what it reaches. Only these nodes hold a secret that do what it is for: `secrets` has the
keys that must be there, `optional` the others. `internet` is for those whose guard vets every address.
*/}}
{{- define "magpie.services" -}}
api:
  secrets: { credentials: [ADMIN_KEY] }
  optional: { credentials: [BOT_IDENTITY] }
keys:
  secrets: { credentials: [MASTER_SECRET] }
  optional: { credentials: [BOOTSTRAP_API_KEY] }
scraper:
  internet: true
  browser: true
  optional: { credentials: [BOT_IDENTITY, LLM_API_KEY, PROXIES] }
crawler:
  internet: true
  optional: { credentials: [BOT_IDENTITY] }
connectors:
  internet: true
  secrets: { credentials: [MASTER_SECRET] }
  optional:
    credentials: [BOT_IDENTITY]
    platforms:
      - X_BEARER_TOKEN
      - X_ACCESS_TOKEN
      - BLUESKY_IDENTIFIER
      - BLUESKY_APP_PASSWORD
      - MASTODON_ACCESS_TOKEN
      - DISCORD_BOT_TOKEN
      - TELEGRAM_API_ID
      - TELEGRAM_API_HASH
tracker: {}
history: {}
webhook-dispatcher:
  internet: true
  secrets: { credentials: [MASTER_SECRET] }
  optional: { credentials: [BOT_IDENTITY, SMTP_URL] }
admin: {}
{{- end }}

{{/* Variables from Secrets: of `keys` (a list by secret), each there or not (`optional`). */}}
{{- define "magpie.secretEnv" -}}
{{- range $secret, $keys := .keys }}
{{- range $keys }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ (index $.secrets $secret).name }}
      key: {{ . }}
      {{- if $.optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end }}
