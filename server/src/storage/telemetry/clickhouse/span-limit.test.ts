import { limits } from '@assay/contract/limits.ts'
import { expect, test } from 'vitest'
import { span } from '../port/samples.ts'
import { encodeSpansForClickHouse } from './encode-spans.ts'
import { toKey } from './parameter-lists.ts'
import { acceptSpans } from './span-limit.ts'

/*
 * Which traces of a batch are compared with what is stored. What is accepted then: large-writes.db.test.ts.
 */

const most = limits.spansPerTrace.value
const projectId = 'project'

/** Of a batch with one span in each of some traces, of which so many are stored: the traces that are compared. */
async function findCompared(storedSpans: readonly number[]): Promise<readonly unknown[]> {
  const compared: unknown[] = []
  const connection = {
    rows: (_text: string, { trace }: Readonly<Record<string, unknown>>) => {
      compared.push(trace)
      return Promise.resolve([])
    },
  }
  const traceIds = storedSpans.map((_, n) => `trace ${n}`)
  const spans = encodeSpansForClickHouse(traceIds.map((traceId) => span('a', { traceId })))
  const stored = new Map(traceIds.map((id, n) => [toKey([projectId, id]), storedSpans[n]!]))
  await acceptSpans(connection, [{ projectId, source: 'otlp', spans }], stored)
  return compared
}

test('traces with room for their own spans of a batch are not compared, however many spans it has of others', async () => {
  expect(await findCompared([most - 1, most - 2, most - 3])).toEqual([])
  expect(await findCompared([most - 1, most, most - 2])).toEqual(['trace 1'])
})
