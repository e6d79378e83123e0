import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { type CallReport, ModelCallError } from '../../model-gateway/model-call.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { readTitle } from './first-title.ts'

/*
 * Asks the model of a conversation for its title, beside the first reply.
 */

export const titleSystem =
  'Write a title of at most six words for a conversation that begins with this message, in its language. Reply with the title only.'

export interface TitleCall {
  /** The beginning of the message. */
  readonly asked: string
  readonly report: CallReport
  readonly problem: string | undefined
  readonly endedAt: Date
}

export interface WrittenTitle {
  /** Undefined if the model wrote none. */
  readonly title: string | undefined
  /** Undefined if it was not called. */
  readonly call: TitleCall | undefined
}

const askedLength = 2_000
const maxMs = 10_000

/** `readMessage`: without what may not be in a trace, which a title would repeat in part. Never rejects. */
export async function writeTitle(
  model: GatewayModel,
  readMessage: () => Promise<string>,
  signal: AbortSignal,
  { models, clock, log }: Pick<ChatStreamPorts, 'models' | 'clock' | 'log'>,
): Promise<WrittenTitle> {
  let asked = ''
  const called = (report: CallReport, problem?: string) => ({
    ...{ asked, report, problem, endedAt: clock.now() },
  })
  try {
    asked = (await readMessage()).slice(0, askedLength).toWellFormed()
    const answer = await models.generate(model, {
      ...{ system: titleSystem, messages: [{ role: 'user', content: asked }] },
      ...{ maxOutputTokens: 32, signal, maxMs, deadline: Date.now() + maxMs },
    })
    return { title: readTitle(answer.value), call: called(answer) }
  } catch (error) {
    if (error instanceof ModelCallError) {
      const isSent = error.report.attempts > 0
      return { title: undefined, call: isSent ? called(error.report, error.message) : undefined }
    }
    if (!signal.aborted) log.error('a title could not be written', error)
    return { title: undefined, call: undefined }
  }
}
