import { createHmac } from 'node:crypto'
import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import { findContinued } from '../detection/continued-token.ts'
import { detect } from '../detection/detect.ts'
import type { Finding } from '../detection/finding.ts'
import type { IngestWorkers } from '../ingest-workers/ingest-workers.ts'
import type { Work } from '../ingest-workers/messages.ts'
import type { Requester } from '../platform/requester.ts'
import { shortLength } from './scan-text.ts'

/*
 * Scans what a request sends to a model. A value that its sender has approved in the conversation is remembered as a
 * hash, so that the context may repeat it.
 */

export interface TurnTexts {
  /** Held back whatever was approved before. */
  readonly message: string
  /** The ends of what the sender wrote or attached before it: a token can begin there and end in the message. */
  readonly before: readonly string[]
  /** Held back only with a value that was not approved before. */
  readonly context: readonly {
    readonly source: 'history' | 'system' | 'attachment'
    readonly text: string
  }[]
  /** Values that were found in attachments, which the sender approves with the message. */
  readonly attachedValues: readonly string[]
  /** Hashes. */
  readonly approved: readonly string[]
  readonly approvalKey: Uint8Array
}

export interface TurnScan {
  readonly blocked: boolean
  /** Those that block first; of the context, no others. */
  readonly findings: readonly ChatFinding[]
  /** How many block, by type. */
  readonly types: Readonly<Record<string, number>>
  /** Hashes of the blocking values that were not approved before. */
  readonly approvals: readonly string[]
}

/** Of the findings that are returned. */
export const findingsMax = 100

/** Long texts are scanned in another thread. Throws Unavailable when too much waits. */
export async function scanTurn(
  texts: TurnTexts,
  requester: Requester,
  ingestWorkers: Pick<IngestWorkers, 'run'>,
): Promise<TurnScan> {
  const scanned = [
    ...[...texts.context.map(({ text }) => text), ...texts.attachedValues],
    ...texts.before,
  ]
  const length = scanned.reduce((sum, text) => sum + text.length, texts.message.length)
  if (length <= shortLength) return scanTurnTexts(texts)
  const load = { requester, sizeBytes: 2 * length, parts: [] }
  return await ingestWorkers.run(scanTurnTask, texts, load)
}

export const scanTurnTask: Work<TurnTexts, TurnScan> = { name: 'scan a turn of the chat product' }

/** The side of the thread. */
export function scanTurnTexts({
  message,
  before,
  context,
  attachedValues,
  approved,
  approvalKey,
}: TurnTexts): TurnScan {
  const isApproved = new Set(approved)
  const blocking: ChatFinding[] = []
  const others: ChatFinding[] = []
  const types: Record<string, number> = {}
  const approvals = new Set<string>()
  const hashOf = (value: string) => approvalHash(approvalKey, value)
  const approve = (hash: string) => {
    if (approvals.size < limits.chatApprovals.value && !isApproved.has(hash)) approvals.add(hash)
  }
  const block = (finding: ChatFinding) => {
    types[finding.type] = (types[finding.type] ?? 0) + 1
    if (blocking.length < findingsMax) blocking.push(finding)
  }
  const continued = before.map((text) => findContinued(text, message))
  for (const finding of [...continued.filter((one) => one !== undefined), ...detect(message)]) {
    if (finding.blocks) {
      approve(hashOf(valueOf(message, finding)))
      block(toChatFinding(finding))
    } else if (others.length < findingsMax) others.push(toChatFinding(finding))
  }
  for (const { source, text } of context) {
    for (const finding of detect(text)) {
      if (!finding.blocks) continue
      const hash = hashOf(valueOf(text, finding))
      if (isApproved.has(hash)) continue
      approve(hash)
      block({ ...toChatFinding(finding), source })
    }
  }
  for (const value of attachedValues) approve(hashOf(value))
  return {
    blocked: blocking.length > 0,
    findings: [...blocking, ...others].slice(0, findingsMax),
    types,
    approvals: [...approvals],
  }
}

function toChatFinding({ blocks: _, ...finding }: Finding): ChatFinding {
  return finding
}

function valueOf(text: string, { start, end }: Pick<Finding, 'start' | 'end'>): string {
  return text.slice(start, end)
}

/** Spaces and line breaks within a value do not make it another one. */
function approvalHash(key: Uint8Array, value: string): string {
  const same = value.normalize('NFKC').replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
  return createHmac('sha256', key).update(same).digest('base64url')
}
