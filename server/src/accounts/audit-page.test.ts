import { expect, test } from 'vitest'
import type { AuditRow } from '../storage/accounts/audit-tables.ts'
import { auditLines, linesPerTurn } from './audit-page.ts'

const rowCount = 950

const row = (n: number): AuditRow => ({
  ...{ id: String(n).padStart(4, '0'), at: '2026-01-01T00:00:00.000Z', last_at: null },
  ...{ event_count: 1, organization_id: 'o', action: 'audit_log.exported', details: '{}' },
  ...{ actor_kind: 'user', actor_id: 'u', actor_email: 'ana@x.org' },
  ...{ target_kind: 'organization', target_id: 'o' },
  ...{ client_address: null, user_agent: null, request_id: null },
})

/** Newest first, as the store lists them. */
const audit = {
  append: () => Promise.resolve(),
  appendRepeated: () => Promise.resolve(),
  list(_organizationId: string | null, { before, limit }: { before?: string; limit: number }) {
    const older = before === undefined ? rowCount : Number(before)
    const count = Math.min(limit, older)
    return Promise.resolve(Array.from({ length: count }, (_, n) => row(older - 1 - n)))
  },
}

test('an export of the audit log has every entry once, and others have their turn meanwhile', async () => {
  const ids: string[] = []
  let inTurn = 0
  let most = 0
  const startTurn = () => {
    inTurn = 0
    if (ids.length < rowCount) setImmediate(startTurn)
  }
  startTurn()
  for await (const { id } of auditLines('o', {}, new AbortController().signal, { audit })) {
    ids.push(id)
    inTurn += 1
    most = Math.max(most, inTurn)
  }
  expect(ids).toEqual(Array.from({ length: rowCount }, (_, n) => row(rowCount - 1 - n).id))
  expect(most).toBeLessThanOrEqual(2 * linesPerTurn)
})
