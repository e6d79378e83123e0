import { expect, test, vi } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import { openLog } from '../../../platform/log.ts'
import { startRepairing } from './trace-repair.ts'

test('checks that fail are logged once per outage, with what that means', async () => {
  const lines: string[] = []
  let checks = 0
  // The second succeeds.
  const check = async () => {
    checks += 1
    if (checks !== 2) throw new Unavailable('ClickHouse cannot be reached.', 1)
  }
  const log = openLog('warn', (line) => lines.push(line))
  const repairing = startRepairing({ check, repair: async () => {} }, log, 1)
  await vi.waitUntil(() => checks >= 6)
  await repairing.stop()
  expect(lines).toHaveLength(2)
  for (const line of lines)
    expect(line).toMatch(/ClickHouse cannot be reached\..*incomplete cannot be repaired now/)
})
