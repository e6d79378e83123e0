import { createModelConfig } from '@assay/contract/model-configs.ts'
import { freePort } from '../server/test/free-port.ts'
import {
  type ReceivedCall,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from '../server/test/scripted-model.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * The service with the chat product on a host of its own, a person, and a scripted model.
 */

export interface RunningChat {
  readonly service: RunningService
  readonly setUp: SetUpService
  readonly scripted: ScriptedModel
  /** The origin of the chat product. */
  readonly origin: string
  /** The page for a new conversation of the first project. */
  readonly start: string
  /** The origin of the tracing product. */
  readonly tracing: string
  /** The next replies, each to one message. Titles of conversations have their own. */
  readonly reply: (...steps: readonly Step[]) => void
  /** The calls for replies, without those for titles. */
  readonly replyCalls: () => readonly ReceivedCall[]
}

export async function runChat(): Promise<RunningChat> {
  const [port, chatPort] = [await freePort(), await freePort()]
  const tracing = `http://app.localhost:${port}`
  const origin = `http://chat.localhost:${chatPort}`
  const running = await runService({
    port,
    env: {
      ASSAY_CHAT_PORT: String(chatPort),
      ASSAY_BASE_URL: tracing,
      ASSAY_CHAT_BASE_URL: origin,
      ASSAY_MODEL_ALLOW_NETWORKS: '127.0.0.1',
    },
  })
  // Only the browser resolves these names.
  const service = { ...running, api: `http://127.0.0.1:${port}/api/v1` }
  const setUp = await setUpService(service)
  const scripted = await startScriptedModel()
  const replies: Step[] = []
  scripted.always((call) => {
    if (call.body['stream'] !== true) return { answer: 'A scripted title' }
    const step = replies.shift() ?? { pieces: ['Yes.'] }
    return typeof step === 'function' ? step(call) : step
  })
  await callAs(service, setUp)(createModelConfig, {
    params: { orgId: setUp.organization.id },
    body: {
      ...{ label: 'Scripted', provider: 'openai-compatible', model: 'scripted-1' },
      ...{ base_url: scripted.url, input_usd_per_mtok: 1, output_usd_per_mtok: 2 },
    },
  })
  const start = `${origin}/${setUp.organization.slug}/${setUp.project.slug}`
  return {
    ...{ service, setUp, scripted, origin, start, tracing },
    reply: (...steps) => void replies.push(...steps),
    replyCalls: () => scripted.requests.filter(({ body }) => body['stream'] === true),
  }
}

/** A program for a page of the chat app, which makes a conversation and returns its id. */
export const haveTurns = ({ organization, project }: SetUpService, count: number): string =>
  `(async () => {
  let conversation = {}
  for (let turn = 0; turn < ${count}; turn += 1) {
    const response = await fetch('/api/v1/chat/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...conversation,
        org: '${organization.slug}',
        project: '${project.slug}',
        message: 'Turn ' + turn,
      }),
    })
    const [, id] = /"conversation_id":"([^"]+)"/.exec(await response.text())
    conversation = { conversation_id: id }
  }
  return conversation.conversation_id
})()`
