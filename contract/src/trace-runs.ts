import { z } from 'zod'
import { completeAgentConfig } from './agent-config.ts'
import { volumes } from './cost-calculator.ts'
import { endpoint } from './endpoint.ts'
import { appBody, inProject, limitedList, timestamp } from './fields.ts'
import { spanStatus } from './ingest.ts'
import { limits } from './limits.ts'

/*
 * Recorded runs of an agent, which calibrate an estimate of its cost.
 */

const traceRun = z
  .object({
    traceId: z.string(),
    rootName: z.string(),
    status: spanStatus,
    startedAt: timestamp,
    durationMs: z.number(),
    spanCount: z.int(),
    llmCallCount: z.int(),
    toolCallCount: z.int(),
    tokensIn: z.int(),
    tokensOut: z.int(),
    costUsd: z.number().nullable().describe('null if no cost is known'),
    environment: z.string().nullable(),
    service: z.string().nullable(),
    sdk: z.string().nullable(),
  })
  .meta({ id: 'TraceRun' })
export type TraceRun = z.output<typeof traceRun>

export const listTraceRuns = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/cost-calculator/trace-runs',
  tag: 'Cost calculator',
  summary: 'List the newest traces that arrived over OTLP',
  description: `At most ${limits.listedTraceRuns.value}, newest first, without simulations. There are no further pages. About ${limits.scannedTraceRuns.value.toLocaleString('en-US')} of the newest traces are examined.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  success: {
    status: 200,
    data: limitedList(traceRun, 'listedTraceRuns'),
    meta: z.object({
      page: z.int(),
      pageSize: z.int(),
      total: z.int(),
      cursor: z.null(),
    }),
  },
  errors: ['INTERNAL_ERROR 503'],
})

const extractBody = z.object({
  trace_ids: z
    .array(z.string().min(1).max(limits.extractedTraceIdLength.value))
    .min(1)
    .max(limits.extractedRuns.value),
})

const place = { traceId: z.string(), spanId: z.string() }

const systemPrompt = z
  .object({
    text: z.string(),
    isCut: z.boolean().describe('whether it exceeds the length of an agent configuration'),
    runs: z.int(),
    calls: z.int().describe('model calls whose recorded messages have it'),
    lastUsedAt: timestamp,
    ...place,
  })
  .meta({ id: 'RecordedSystemPrompt' })
export type RecordedSystemPrompt = z.output<typeof systemPrompt>

export const toneSigns = [
  'contractions',
  'exclamation_marks',
  'emoji',
  'formal_address',
  'informal_address',
  'courtesy',
  'lists',
] as const

const toneSign = z.object({
  sign: z.enum(toneSigns),
  answers: z.int().describe('answers with it'),
  quote: z.string(),
  ...place,
})

const tone = z
  .object({
    text: z.string().describe('the tone of `suggestion`; empty without answers'),
    answers: z.int().describe('answers that were read'),
    language: z.string().nullable().describe('in English; null if unclear'),
    wordsP50: z.number().nullable(),
    wordsP90: z.number().nullable(),
    formality: z.enum(['formal', 'informal', 'neutral']),
    signs: limitedList(toneSign, 'toneSigns'),
  })
  .meta({ id: 'RecordedTone' })
export type RecordedTone = z.output<typeof tone>

const tool = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('a JSON Schema; of a tool that is only called, what its arguments show'),
    source: z
      .enum(['defined', 'called'])
      .describe('`called`: no model call has a definition of it'),
    definitions: z.int().describe('different definitions, of which this is the newest'),
    calls: z.int(),
    runs: z.int().describe('runs that define or call it'),
    errors: z.int().describe('calls that failed'),
    latencyMsP50: z.number().nullable().describe('of the spans of its calls; null without any'),
    outputTokensP50: z
      .number()
      .nullable()
      .describe('counted tokens of its results; null if none is recorded'),
    outputTokensP90: z.number().nullable(),
  })
  .meta({ id: 'RecordedTool' })
export type RecordedTool = z.output<typeof tool>

/** Why a run is not part of the volumes. */
const excludedRuns = ['no_model_call', 'no_usage', 'incomplete'] as const
export type ExcludedRun = (typeof excludedRuns)[number]

const run = z
  .object({
    traceId: z.string(),
    model: z.string().nullable().describe('of the most model calls'),
    tools: limitedList(z.string(), 'extractedTools'),
    turns: z.int().nullable().describe('messages of the user; null if unknown'),
    tokensIn: z.int(),
    tokensOut: z.int(),
    llmCalls: z.int(),
    toolCalls: z.int(),
    costUsd: z.number().nullable(),
    excluded: z
      .enum(excludedRuns)
      .nullable()
      .describe(
        'why the volumes do not have it; `incomplete`: its spans lack model calls that an outer span counts',
      ),
  })
  .meta({ id: 'RecordedRun' })
export type RecordedRun = z.output<typeof run>

const counterFactor = z
  .object({
    model: z.string(),
    factor: z
      .number()
      .describe('the median of the reported input tokens per token that an estimate counts'),
    calls: z.int(),
    isUsed: z
      .boolean()
      .describe(`from ${limits.counterFactorCalls.value} calls on: then \`volumes\` has it`),
  })
  .meta({ id: 'CounterFactor' })
export type CounterFactor = z.output<typeof counterFactor>

const extraction = z
  .object({
    traceIds: limitedList(z.string(), 'extractedRuns'),
    systemPrompts: limitedList(systemPrompt, 'extractedPrompts').describe('newest first'),
    tone,
    tools: limitedList(tool, 'extractedTools').describe('most calls first'),
    suggestion: completeAgentConfig,
    items: limitedList(run, 'extractedRuns').describe('in the order of the request'),
    volumes: volumes.describe('of the runs that are not excluded, as an estimate accepts them'),
    counterFactors: limitedList(counterFactor, 'counterFactors').describe('most calls first'),
    emptyRunCount: z.int().describe('runs without a model call'),
    notes: limitedList(z.string(), 'extractionNotes').describe(
      'what was cut, left out or not read, as sentences',
    ),
  })
  .meta({ id: 'AgentExtraction' })
export type AgentExtraction = z.output<typeof extraction>

export const extractAgent = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/trace-runs/extract',
  tag: 'Cost calculator',
  summary: 'Extract an agent configuration and volumes from recorded runs',
  description: `Calls no model. Prompts, tools and messages come from the first ${limits.extractedRunBytes.value} bytes of each trace; tokens and calls from all of it. Send \`suggestion\` as \`agent_config\` and \`volumes\` as \`volumes\` of an estimate.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  body: appBody(extractBody),
  success: { status: 200, data: extraction },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})
