import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelUrl, question } from './conversation.mjs'

/*
 * A coding agent in a terminal, once with a prompt; it may run the shell command that the fake provider calls.
 */

const root = modelUrl.replace('/v1', '')
const collector = process.env.OTEL_EXPORTER_OTLP_ENDPOINT
const agents = {
  claude: {
    args: [
      '-p',
      question,
      '--model',
      'claude-sonnet-4-5',
      '--tools',
      'Bash',
      '--allowedTools',
      'Bash',
    ],
    env: {
      ANTHROPIC_BASE_URL: root,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_LOG_USER_PROMPTS: '1',
      OTEL_LOG_TOOL_DETAILS: '1',
      OTEL_METRICS_INCLUDE_ACCOUNT_UUID: 'false',
    },
  },
  gemini: {
    args: ['-p', question, '-m', 'gemini-2.5-flash', '--yolo', '--skip-trust'],
    env: {
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: root,
      GEMINI_TELEMETRY_ENABLED: 'true',
      GEMINI_TELEMETRY_TARGET: 'local',
      GEMINI_TELEMETRY_OTLP_ENDPOINT: collector,
      GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http',
      GEMINI_TELEMETRY_LOG_PROMPTS: 'true',
      GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
    },
  },
  codex: {
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', question],
    // It is built without gzip.
    env: { PROVIDER_KEY: 'none', OTEL_EXPORTER_OTLP_COMPRESSION: undefined },
  },
}
const { AGENT } = process.env
const { args, env } = agents[AGENT]
const codexConfig = `
model = "gpt-5-mini"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}"
env_key = "PROVIDER_KEY"
wire_api = "responses"
request_max_retries = 0
[otel]
log_user_prompt = true
metrics_exporter = "none"
[otel.exporter.otlp-http]
endpoint = "${collector}/v1/logs"
protocol = "binary"
headers = { "x-tracing-key" = "a key" }
`
mkdirSync('.codex', { recursive: true })
writeFileSync('.codex/config.toml', codexConfig)
const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
mkdirSync('.gemini', { recursive: true })
writeFileSync('.gemini/settings.json', JSON.stringify(settings))
const command = join(import.meta.dirname, 'node_modules/.bin', AGENT)
const { status } = spawnSync(command, args, {
  env: { ...process.env, ...env },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = status ?? 1
