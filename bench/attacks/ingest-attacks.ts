import { gzipSync } from 'node:zlib'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportLogs, exportMetrics, exportTraces } from '@assay/contract/otlp.ts'
import { otlpBatch } from '../span-load.ts'
import { type Attack, stored } from './attack.ts'
import { jsonSpan, logBatch, metricBatch, protobufHeaders, spanBatch } from './batches.ts'

/*
 * Attacks with a tracing key.
 */

export const ingestAttacks: readonly Attack[] = [
  {
    name: 'unfinished-batches',
    by: 'key',
    endpoints: [ingestTrace, exportTraces, exportMetrics, exportLogs],
    connections: 32,
    responds: [400],
    client: 'unfinished',
    requests: () => {
      const body = `{}${' '.repeat(limits.ingestBodyBytes.value - 2)}`
      return () => ({ body, headers: { 'content-type': 'application/json' } })
    },
  },
  {
    name: 'decompression-bombs',
    by: 'key',
    endpoints: [exportTraces, exportMetrics, exportLogs],
    connections: 32,
    responds: [400, 400, 400],
    requests: ({ scale }) => {
      const body = gzipSync(new Uint8Array((scale < 1 ? 64 : 512) * 1024 * 1024))
      const headers = { ...protobufHeaders, 'content-encoding': 'gzip' }
      return () => ({ body, headers })
    },
  },
  {
    name: 'nested-json',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 8,
    responds: [202],
    requests: ({ scale }) => {
      const input = `[${'[],'.repeat(1_400_000 * scale)}[]]`
      const span = jsonSpan({ span_id: 'a' }).slice(0, -1)
      return (n) => ({ body: `{"trace_id":"nested-${n}","spans":[${span},"input":${input}}]}` })
    },
  },
  {
    name: 'tags',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 16,
    responds: [202],
    requests: () => (n) => {
      const tags = Array.from({ length: limits.tagsPerTrace.value }, (_, k) => `tag-${n}-${k}`)
      return {
        body: `{"trace_id":"tags-${n}","tags":${JSON.stringify(tags)},"spans":[${jsonSpan({ span_id: 'a' })}]}`,
      }
    },
  },
  {
    name: 'one-span-batches',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 32,
    responds: [202],
    requests: () => (n) => ({ body: spanBatch(stored.huge[n % 2] ?? '', n % 50_000, 1, '') }),
  },
  {
    // All wait for the first one of each key.
    name: 'repeated-batches',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 200,
    responds: [202, 202],
    requests: ({ scale }) => {
      const text = 'word '.repeat(1000 * scale)
      return (n) => ({
        headers: { 'idempotency-key': `key-${Math.floor(n / 200)}` },
        body: spanBatch(`repeated-${n}`, 0, limits.spansPerIngest.value, text),
      })
    },
  },
  {
    name: 'json-batches',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 8,
    responds: [202],
    requests: ({ scale }) => {
      const text = 'word '.repeat(12_000 * scale)
      return (n) => ({ body: spanBatch(`batch-${n}`, 0, limits.spansPerIngest.value, text) })
    },
  },
  {
    name: 'otlp-batches',
    by: 'key',
    endpoints: [exportTraces],
    connections: 8,
    responds: [200],
    requests: ({ scale }) => {
      const batch = otlpBatch(12_000 * scale)
      return () => {
        batch.renew(Date.now())
        return { body: Uint8Array.from(batch.bytes), headers: protobufHeaders }
      }
    },
  },
  {
    // Small bodies are decoded on the event loop, where each new model name takes time.
    name: 'new-models',
    by: 'key',
    endpoints: [ingestTrace],
    connections: 8,
    responds: [202],
    requests: () => (n) => {
      const spans = Array.from({ length: 200 }, (_, k) =>
        jsonSpan({ span_id: `${k}`, kind: 'llm', tokens_in: 1, model: newModel(`${n}-${k}`) }),
      )
      return { body: `{"trace_id":"models-${n}","spans":[${spans.join(',')}]}` }
    },
  },
  {
    name: 'metric-series',
    by: 'key',
    endpoints: [exportMetrics],
    connections: 8,
    responds: [200],
    requests: ({ scale }) => {
      const batch = metricBatch('attack.series', 50_000 * scale, 1)
      return (n) => ({ body: batch(`service-${n}`), headers: protobufHeaders })
    },
  },
  {
    name: 'log-batches',
    by: 'key',
    endpoints: [exportLogs],
    connections: 8,
    responds: [200],
    requests: ({ scale }) => {
      const batch = logBatch(50_000 * scale)
      return (n) => ({ body: batch(`service-${n}`), headers: protobufHeaders })
    },
  },
]

/** Of a provider with many models, in many spellings. */
function newModel(name: string): string {
  return `bedrock/anthropic/claude-4.5-sonnet-${'a'.repeat(80)}@${name}-high-latest:thinking`
}
