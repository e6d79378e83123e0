import { readdirSync, readFileSync } from 'node:fs'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { expect, test } from 'vitest'
import { startService } from './started-app.ts'

/** The niceness of every thread of this process, which is the service. */
function threadNiceness(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

test.runIf(process.platform === 'linux')(
  'the threads that read and index leave the processor to the main thread (only on Linux)',
  async () => {
    const service = await startService()
    try {
      const { tracingKey } = await service.addTenant()
      const spans = [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }]
      const body = { trace_id: 'a', spans }
      await service.call(ingestTrace, { body }, { 'x-tracing-key': tracingKey })
      // Threads start when they are needed.
      await expect.poll(threadNiceness).toEqual(expect.arrayContaining([5, 10]))
      expect(threadNiceness()[0], 'main thread').toBe(0)
    } finally {
      await service.stop()
    }
  },
)
