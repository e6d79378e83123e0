import { type Field, message } from './protobuf.ts'

/*
 * Spans like those of a real agent: a run of 20, half of them model calls, about 2 KB of text each. Words
 * come from a fixed seed, so that every run sends the same bytes except ids and times.
 */

const spansPerTrace = 20
const textBytes = 2000

/** An encoded body and the offsets of its ids, which are overwritten before each request. */
export interface BatchTemplate {
  readonly bytes: Buffer
  readonly spanCount: number
  /** Writes fresh ids and start times. */
  renew(startMs: number): void
}

/** What the spans of one batch share. */
export interface Flavor {
  readonly root: string
  readonly model: string
  readonly service: string
  readonly environment: string
  /** The last tool call of each trace fails. */
  readonly isFailing: boolean
}

const plain: Flavor = {
  root: 'execute_tool search',
  model: 'gpt-5',
  service: 'bench',
  environment: 'load',
  isFailing: false,
}

/** Agents of several teams, each in two environments; the last one fails. */
export const flavors: readonly Flavor[] = [
  'gpt-5',
  'claude-sonnet-4-5',
  'gemini-2.5-pro',
  'house',
].flatMap((model, n) =>
  ['production', 'staging'].map((environment) => ({
    root: `invoke_agent ${['triage', 'research', 'billing', 'coding'][n] ?? ''}`,
    model,
    service: `team-${n}`,
    environment,
    isFailing: n === 3,
  })),
)

let nextTrace = 1
const random = generator(20261120)
const vocabulary = Array.from({ length: 4000 }, () =>
  Array.from({ length: 3 + Math.floor(random() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  ).join(''),
)

// Marks that are found in the encoded bytes, so that ids can be overwritten in place.
const tracePlaceholder = Buffer.alloc(16, 0xee)
const spanPlaceholder = Buffer.alloc(8, 0xdd)
const timePlaceholder = 0xcccccccccccccccbn

export function otlpBatch(spanCount: number, flavor = plain): BatchTemplate {
  const spans = Array.from({ length: spanCount }, (_, n): Field => [2, spanFields(n, flavor)])
  const scope: Field = [
    1,
    [
      [1, 'bench.instrumentation'],
      [2, '1.0.0'],
    ],
  ]
  const resource: Field = [
    1,
    [
      attribute(1, 'service.name', flavor.service),
      attribute(1, 'deployment.environment.name', flavor.environment),
    ],
  ]
  const bytes = message([[1, [resource, [2, [scope, ...spans]]]]])
  const traces = findOffsets(bytes, tracePlaceholder)
  const ids = findOffsets(bytes, spanPlaceholder)
  const times = findOffsets(bytes, placeholderTime())
  return { bytes, spanCount, renew: (startMs) => renew(bytes, startMs, traces, ids, times) }
}

function placeholderTime(): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE(timePlaceholder)
  return time
}

function spanFields(n: number, flavor: Flavor): Field[] {
  const isModelCall = n % 2 === 1
  const isRoot = n % spansPerTrace === 0
  const isFailing = flavor.isFailing && n % spansPerTrace === spansPerTrace - 2
  const fields: Field[] = [
    [1, tracePlaceholder],
    [2, spanPlaceholder],
  ]
  if (!isRoot) fields.push([4, spanPlaceholder])
  return [
    ...fields,
    [5, isRoot ? flavor.root : isModelCall ? `chat ${flavor.model}` : 'execute_tool search'],
    [6, 3],
    [7, timePlaceholder],
    [8, timePlaceholder],
    ...(isModelCall ? modelCall(flavor.model) : toolCall()),
    ...(isFailing ? [failed] : []),
  ]
}

/** `status` with the code `STATUS_CODE_ERROR`. */
const failed: Field = [15, [[3, 2]]]

function modelCall(model: string): Field[] {
  const input = JSON.stringify([
    { role: 'user', parts: [{ type: 'text', content: words(textBytes * 0.7) }] },
  ])
  const output = JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: words(textBytes * 0.3) }] },
  ])
  return [
    attribute(9, 'gen_ai.operation.name', 'chat'),
    attribute(9, 'gen_ai.provider.name', 'openai'),
    attribute(9, 'gen_ai.request.model', model),
    attribute(9, 'gen_ai.response.model', model),
    attribute(9, 'gen_ai.usage.input_tokens', 400),
    attribute(9, 'gen_ai.usage.output_tokens', 120),
    attribute(9, 'gen_ai.input.messages', input),
    attribute(9, 'gen_ai.output.messages', output),
  ]
}

function toolCall(): Field[] {
  return [
    attribute(9, 'gen_ai.operation.name', 'execute_tool'),
    attribute(9, 'gen_ai.tool.name', 'search'),
    attribute(9, 'gen_ai.tool.call.arguments', JSON.stringify({ query: words(200) })),
    attribute(9, 'gen_ai.tool.call.result', JSON.stringify({ hits: words(textBytes - 200) })),
  ]
}

function attribute(field: number, key: string, value: string | number): Field {
  return [
    field,
    [
      [1, key],
      [2, [typeof value === 'string' ? [1, value] : [3, value]]],
    ],
  ]
}

function words(bytes: number): string {
  let text = ''
  // Zipf-like: a few words make up most of a text.
  while (text.length < bytes)
    text += `${vocabulary[Math.floor(random() ** 3 * vocabulary.length)]} `
  return text
}

function findOffsets(bytes: Buffer, pattern: Buffer): number[] {
  const offsets: number[] = []
  for (
    let at = bytes.indexOf(pattern);
    at !== -1;
    at = bytes.indexOf(pattern, at + pattern.length)
  ) {
    offsets.push(at)
  }
  return offsets
}

/**
 * In byte order: each span's id, then its parent's; the first span of a trace is the parent of all others.
 */
function renew(
  bytes: Buffer,
  startMs: number,
  traces: readonly number[],
  ids: readonly number[],
  times: readonly number[],
): void {
  const firstNanos = BigInt(Math.round(startMs)) * 1_000_000n
  let idAt = 0
  let traceNumber = nextTrace
  for (const [n, at] of traces.entries()) {
    if (n % spansPerTrace === 0) traceNumber = nextTrace++
    bytes.writeBigUInt64BE(BigInt(process.pid) + 1n, at)
    bytes.writeBigUInt64BE(BigInt(traceNumber), at + 8)
    bytes.writeBigUInt64BE(
      BigInt(traceNumber) * 4096n + BigInt(n % spansPerTrace) + 1n,
      ids[idAt++] ?? 0,
    )
    if (n % spansPerTrace !== 0)
      bytes.writeBigUInt64BE(BigInt(traceNumber) * 4096n + 1n, ids[idAt++] ?? 0)
    const startNanos = firstNanos + BigInt(n) * 1_000_000n
    bytes.writeBigUInt64LE(startNanos, times[2 * n] ?? 0)
    bytes.writeBigUInt64LE(startNanos + 900_000n, times[2 * n + 1] ?? 0)
  }
}

const jsonTails = Array.from({ length: 64 }, () => {
  const input = { messages: [{ role: 'user', content: words(textBytes * 0.7) }] }
  const output = { text: words(textBytes * 0.3) }
  return `"input":${JSON.stringify(input)},"output":${JSON.stringify(output)}}]}`
})

/** The body of a JSON ingest request with one new span of the same size, in a new trace. */
export function jsonBody(): Buffer {
  const n = nextTrace++
  const started = new Date().toISOString()
  return Buffer.from(
    `{"trace_id":"bench-${process.pid}-${n}","spans":[{"span_id":"span-${n}","name":"chat gpt-5","kind":"llm","model":"gpt-5","tokens_in":400,"tokens_out":120,"started_at":"${started}","latency_ms":900,${jsonTails[n % jsonTails.length]}`,
  )
}

/** A small seeded random generator (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
