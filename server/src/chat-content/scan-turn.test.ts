import { expect, test } from 'vitest'
import type { IngestWorkers } from '../ingest-workers/ingest-workers.ts'
import { scanTurn, type TurnTexts } from './scan-turn.ts'

const ran: string[] = []
const elsewhere: Pick<IngestWorkers, 'run'> = {
  run(task) {
    ran.push(task.name)
    return Promise.reject(new Error('Not of this test.'))
  },
}

test('long values of attachments are hashed in another thread', async () => {
  const texts = (value: string): TurnTexts => ({
    ...{
      message: 'See the file.',
      before: [],
      context: [],
      approved: [],
      approvalKey: new Uint8Array(32),
    },
    attachedValues: [value],
  })
  const scan = (value: string) => scanTurn(texts(value), ['acme', 'ana'], elsewhere)
  expect((await scan('x'.repeat(100))).approvals).toHaveLength(1)
  expect(ran).toEqual([])
  await scan('x'.repeat(500_000)).catch(() => undefined)
  expect(ran).toEqual(['scan a turn of the chat product'])
})
