import { limits } from '@assay/contract/limits.ts'
import { isDisabled } from '../../accounts/admission.ts'
import { maskTexts } from '../../chat-content/mask-texts.ts'
import type { ReplyPlace } from '../../chat-replies/replies.ts'
import type { EndedReply, ReplyText } from '../../chat-replies/reply-turn.ts'
import type { RunningReply } from '../../chat-replies/running-reply.ts'
import { toStorableText } from '../../domain/json-text.ts'
import { readChain } from '../../key-directory/read-chain.ts'
import type { SealingMailbox } from '../../sealed-history/sealing-mailbox.ts'
import type { ChatMessageRow } from '../../storage/accounts/chat-tables.ts'
import type { ReplyKey } from '../../storage/accounts/chat-turn-store.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { sealReply } from './sealed-turn.ts'
import { type CheckedTurn, leaseEnd, type StoredTurn } from './store-turn.ts'
import type { TurnRequest } from './turn-request.ts'
import { recordTurn } from './turn-trace.ts'
import { type TitleCall, writeTitle } from './write-title.ts'

/*
 * Begins to write the reply of a stored turn.
 */

export function beginTurn(
  place: ReplyPlace,
  checked: CheckedTurn,
  stored: StoredTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): RunningReply {
  const { accounts, models, clock } = ports
  const { member } = request
  const { reply, conversationId, parentId } = stored
  const { model } = checked.found
  const startedAt = clock.now()
  let title: TitleCall | undefined
  let recording: Promise<void> | undefined
  const first = stored.firstTitle
  return place.start({
    ...{ userId: member.user.id, conversationId, messageId: reply.id, parentId },
    sealedFor: checked.mailbox?.owner.org,
    ...{ traceId: reply.trace_id ?? '', model: model.model, notices: checked.context.notices },

    write(signal) {
      const { system, messages } = checked.context
      const maxMs = limits.chatReplySeconds.value * 1000
      return models.stream(model, { system, messages, maxOutputTokens: undefined, signal, maxMs })
    },

    ...(first !== undefined && {
      async writeTitle(signal: AbortSignal) {
        // It is sealed already.
        if (checked.mailbox !== undefined) return first
        const readMessage = () => readMasked(checked, request, ports)
        const written = await writeTitle(model, readMessage, signal, ports)
        title = written.call
        if (written.title === undefined) return first
        return await replaceTitle(stored, written.title, request, ports)
      },
    }),

    async renew(text) {
      const running_until = leaseEnd(clock.now())
      const mayContinue = await hasAccess(request, ports)
      const row = { ...(await toStored({ ...text, problem: null }, checked, reply)), running_until }
      return (await accounts.chatTurns.renewReply(member.user.id, reply, row)) && mayContinue
    },

    ...(checked.mailbox !== undefined && { hasKeys: openKeyCheck(checked.mailbox, ports) }),

    async finish(ended) {
      // Once, also if the end cannot be stored at the first attempt.
      recording ??= recordTurn({ request, checked, stored, startedAt, ended, title }, ports)
      await recording
      const text = await toStored(ended, checked, reply)
      const problem = checked.mailbox === undefined ? ended.problem : null
      await storeEnd(member.user.id, reply, { ...ended, ...text, problem }, ports)
    },
  })
}

/** The new message without the values that its sender approved. */
async function readMasked(
  { found: { message = '' }, findings }: CheckedTurn,
  { member: { organizationId, user } }: TurnRequest,
  { ingestWorkers }: ChatStreamPorts,
): Promise<string> {
  if (!findings.blocked) return message
  const [masked = ''] = await maskTexts([message], [organizationId, user.id], ingestWorkers)
  return masked
}

/** The title that the conversation now has, unless its user chose another. */
async function replaceTitle(
  { conversationId, firstTitle: from = '' }: StoredTurn,
  title: string,
  { member }: TurnRequest,
  { accounts, log }: ChatStreamPorts,
): Promise<string> {
  try {
    const row = { title, lower_title: title.toLowerCase() }
    await accounts.chatTurns.replaceTitle(member.user.id, conversationId, from, row)
    return title
  } catch (error) {
    log.error('a title could not be stored', error)
    return from
  }
}

/** Whoever leaves an organization, or is disabled, has no replies at its cost. */
async function hasAccess(
  { member: { projectId, user } }: TurnRequest,
  { accounts }: ChatStreamPorts,
): Promise<boolean> {
  const account = await accounts.users.find(user.id)
  const access = await accounts.memberships.findProjectAccess(projectId, user.id)
  if (account === undefined || access === undefined || isDisabled(account)) return false
  return account.is_super_admin === 1 || access.role !== null
}

/** Whoever revokes a device has no replies that it could open. Statements of other processes are noticed here. */
function openKeyCheck(
  { owner, chainSeq }: SealingMailbox,
  ports: ChatStreamPorts,
): () => Promise<boolean> {
  let checkedSeq = chainSeq
  return async () => {
    const head = await ports.accounts.keyDirectory.findHead(owner.org, owner.user)
    if (head?.seq === checkedSeq) return true
    const { chain } = await readChain(owner, ports, AbortSignal.timeout(keysMs))
    checkedSeq = chain.seq
    return chain.removalSeq <= chainSeq
  }
}

const keysMs = 5000

/** As it is stored: sealed in an encrypted conversation. */
async function toStored(
  { content, reasoning, problem }: ReplyText & Pick<EndedReply, 'problem'>,
  { mailbox }: CheckedTurn,
  reply: ChatMessageRow,
): Promise<ReplyText> {
  const text = { content: toStorableText(content), reasoning: toStorableText(reasoning) }
  return mailbox === undefined ? text : await sealReply({ ...text, problem }, reply, mailbox)
}

async function storeEnd(
  userId: string,
  reply: ReplyKey,
  { content, reasoning, status, finishReason, problem, report }: EndedReply,
  { accounts, clock }: ChatStreamPorts,
): Promise<void> {
  const costUsd = report?.costUsd ?? null
  const row = {
    ...{ content, reasoning, status, finish_reason: finishReason, problem },
    tokens_in: report?.usage.tokensIn ?? null,
    tokens_out: report?.usage.tokensOut ?? null,
    cost_nano_usd: costUsd === null ? null : Math.round(costUsd * 1e9),
  }
  const now = clock.now().toISOString()
  await accounts.transaction(({ chatTurns }) => chatTurns.endReply(userId, reply, row, now))
}
