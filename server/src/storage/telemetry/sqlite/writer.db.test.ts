import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Span } from '../../../domain/span.ts'
import { span, start } from '../port/samples.ts'
import { openToWrite } from './database.ts'
import { encodeSpansForSqlite } from './encode-spans.ts'
import { folderOfTest } from './test-store.ts'
import { type Batch, openWriter } from './writer.ts'

function toBatch(spans: readonly Span[], key?: string): Batch {
  const { traceIds, parts } = encodeSpansForSqlite(spans)
  const [rows, bodies] = parts
  return {
    ...{ signal: 'spans', projectId: 'p', source: 'otlp', traceIds, labels: null },
    ...{ rows: rows!, bodies: bodies! },
    idempotency: key === undefined ? null : { key, note: '' },
  }
}

test('batches that change large traces take several transactions, with the same outcomes as in one', () => {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  const writer = openWriter(db)
  const large = (traceId: string) =>
    Array.from({ length: 60_000 }, (_, n) => span(`${n}`, { traceId }))
  for (const traceId of ['a', 'b', 'c']) writer.store([toBatch(large(traceId))], start)

  const one = (traceId: string) => [span('new', { traceId })]
  const batches = [
    toBatch(one('a'), 'k'),
    toBatch(one('b')),
    toBatch(one('c')),
    toBatch(one('a'), 'k'),
  ]
  const waiting = batches.values()
  const written = batches.flatMap(() => writer.store(waiting, start))
  const counts = (traceId: string) => [{ traceId, spanCount: 60_001, status: 'OK' }]
  expect(written.map(({ outcome }) => outcome)).toMatchObject([
    { traces: counts('a'), repeated: false },
    { traces: counts('b'), repeated: false },
    { traces: counts('c'), repeated: false },
    { traces: counts('a'), repeated: true },
  ])
})
