import { exporterVariables, type Snippet, type Target } from './snippet.ts'

/*
 * Settings of coding agents, which report prompts, model calls and tool calls in log records.
 */

export function codingAgentSnippets(at: Target): readonly Snippet[] {
  return [claudeCode(at), codex(at), geminiCli(at)]
}

function claudeCode(at: Target): Snippet {
  return {
    id: 'claude-code',
    title: 'Claude Code',
    lead: 'Claude Code reports prompts, model calls and tool calls once these variables are set. Leave out the last two to keep prompts and commands on your machine.',
    tested: 'recorded',
    steps: [
      {
        label: 'Run in a terminal',
        text: `${exporterVariables(at)}
export OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"
export CLAUDE_CODE_ENABLE_TELEMETRY=1
export OTEL_LOGS_EXPORTER=otlp
export OTEL_METRICS_EXPORTER=otlp
export OTEL_LOG_USER_PROMPTS=1
export OTEL_LOG_TOOL_DETAILS=1
claude -p "Is anyone there?"`,
      },
    ],
  }
}

function codex({ origin, key }: Target): Snippet {
  return {
    id: 'codex',
    title: 'Codex',
    lead: 'Codex CLI reads the address and the headers from its configuration. Leave out log_user_prompt to keep prompts on your machine.',
    tested: 'recorded',
    steps: [
      {
        label: 'Add to ~/.codex/config.toml',
        text: `[otel]
log_user_prompt = true

[otel.exporter.otlp-http]
endpoint = "${origin}/api/v1/logs"
protocol = "binary"
headers = { "x-tracing-key" = "${key}" }`,
      },
      { label: 'Run', text: 'codex exec "Is anyone there?"' },
    ],
  }
}

function geminiCli({ origin, key }: Target): Snippet {
  return {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    lead: 'Gemini CLI sends traces and log records; model calls are counted from the records. Set GEMINI_TELEMETRY_LOG_PROMPTS to false to keep prompts on your machine.',
    tested: 'recorded',
    steps: [
      {
        label: 'Run in a terminal',
        text: `export GEMINI_TELEMETRY_ENABLED=true
export GEMINI_TELEMETRY_TARGET=local
export GEMINI_TELEMETRY_OTLP_ENDPOINT="${origin}/api"
export GEMINI_TELEMETRY_OTLP_PROTOCOL=http
export GEMINI_TELEMETRY_TRACES_ENABLED=true
export GEMINI_TELEMETRY_LOG_PROMPTS=true
export OTEL_EXPORTER_OTLP_HEADERS="x-tracing-key=${key}"
gemini -p "Is anyone there?"`,
      },
    ],
  }
}
