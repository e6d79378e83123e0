import { type ChatFinding, isBlocking } from '@assay/contract/chat-scan.ts'
import { findingsMax, scanTurn } from '../../chat-content/scan-turn.ts'
import { endOf, mayContinueToken } from '../../detection/continued-token.ts'
import type { Requester } from '../../platform/requester.ts'
import type { NewAttachment } from '../../storage/accounts/chat-attachment-store.ts'
import { readAttachedTexts } from './attached-texts.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import type { FoundTurn, TurnRequest } from './turn-request.ts'

/*
 * Whether a turn is held back: its message or attachments have a credential or a government identifier, or its history or
 * system has one that was not approved before.
 */

export interface TurnFindings {
  readonly blocked: boolean
  /** Those that block first. */
  readonly findings: ChatFinding[]
  /** How many block, by type. */
  readonly types: Readonly<Record<string, number>>
  /** Hashes of values that are approved by sending them all the same. */
  readonly approvals: readonly string[]
}

export async function findInTurn(
  found: FoundTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): Promise<TurnFindings> {
  const { conversation, message = '', repeated, attachments, givenAttachments } = found
  const { member, body } = request
  const { accounts, approvalKey, ingestWorkers } = ports
  const history = body.history?.map(({ content }) => content) ?? []
  const context = [
    ...(body.system === undefined ? [] : [{ source: 'system' as const, text: body.system }]),
    ...history.map((text) => ({ source: 'history' as const, text })),
    ...(repeated === undefined ? [] : [{ source: 'history' as const, text: repeated }]),
    ...givenAttachments.map(({ text }) => ({ source: 'attachment' as const, text })),
  ]
  const approved =
    conversation === undefined || context.length === 0
      ? []
      : await accounts.chatTurns.listApprovals(member.user.id, conversation.id)
  const attached = attachments.map((one) => ({ ...one, found: findingsIn(one) }))
  const isBlocked = attached.some(({ blocked }) => blocked === 1)
  const attachedValues =
    isBlocked && body.overridePiiBlock ? await readValues(attached, member.user.id, ports) : []
  const requester: Requester = [member.organizationId, member.user.id]
  const before = mayContinueToken(message) ? await readBefore(found, request, ports) : []
  const texts = { message, before, context, attachedValues, approved, approvalKey }
  const scan = await scanTurn(texts, requester, ingestWorkers)
  const all = [...scan.findings, ...attached.flatMap(({ found }) => found)]
  return {
    blocked: scan.blocked || isBlocked,
    findings: all
      .toSorted((a, b) => Number(isBlocking(b)) - Number(isBlocking(a)))
      .slice(0, findingsMax),
    types: countTypes(
      scan.types,
      attached.flatMap(({ found }) => found),
    ),
    approvals: scan.approvals,
  }
}

function findingsIn({ id, findings }: NewAttachment): ChatFinding[] {
  const found = JSON.parse(findings) as ChatFinding[]
  return found.map((finding) => ({ ...finding, attachment_id: id }))
}

function countTypes(
  types: Readonly<Record<string, number>>,
  found: readonly ChatFinding[],
): Record<string, number> {
  const counts = { ...types }
  for (const finding of found) {
    if (isBlocking(finding)) counts[finding.type] = (counts[finding.type] ?? 0) + 1
  }
  return counts
}

async function readValues(
  attached: readonly { readonly id: string; readonly found: readonly ChatFinding[] }[],
  userId: string,
  ports: ChatStreamPorts,
): Promise<string[]> {
  const ids = attached.map(({ id }) => id)
  const values: string[] = []
  for await (const { id, text } of readAttachedTexts(userId, ids, ports)) {
    const found = attached.find((one) => one.id === id)?.found ?? []
    values.push(...found.filter(isBlocking).map(({ start, end }) => text.slice(start, end)))
  }
  return values
}

/** The ends of the person's message before the new one, and of the new attachments. */
async function readBefore(
  { conversation, parent, attachments, givenAttachments }: FoundTurn,
  { member, body }: TurnRequest,
  ports: ChatStreamPorts,
): Promise<string[]> {
  const userId = member.user.id
  const { chatTurns } = ports.accounts
  const ids = attachments.map(({ id }) => id)
  const attached: string[] = []
  for await (const { text } of readAttachedTexts(userId, ids, ports)) attached.push(endOf(text))
  const isStored =
    conversation !== undefined && parent !== undefined && conversation.encrypted !== 1
  const earlier =
    body.history?.toReversed() ??
    (isStored
      ? await chatTurns.listBranchTexts(userId, {
          ...{ conversationId: conversation.id, messageId: parent.id, limit: 2 },
        })
      : [])
  const previous = earlier.find(({ role }) => role === 'user')
  return [
    ...(previous === undefined ? [] : [endOf(previous.content)]),
    ...attached,
    ...givenAttachments.map(({ text }) => endOf(text)),
  ]
}
