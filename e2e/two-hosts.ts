import { freePort } from '../server/test/free-port.ts'
import { type RunningService, runService } from './running-service.ts'

/** A service whose products have host names of their own, which only the browser resolves. */
export interface TwoHosts {
  readonly service: RunningService
  /** The origin of the tracing product. */
  readonly app: string
  readonly chat: string
}

/** Browsers separate the cookies of the two hosts. */
export async function runOnTwoHosts(
  moreEnv: Readonly<Record<string, string>> = {},
): Promise<TwoHosts> {
  const [port, chatPort] = [await freePort(), await freePort()]
  const app = `http://app.localhost:${port}`
  const chat = `http://chat.localhost:${chatPort}`
  const env = {
    ASSAY_CHAT_PORT: String(chatPort),
    ASSAY_BASE_URL: app,
    ASSAY_CHAT_BASE_URL: chat,
    ...moreEnv,
  }
  const running = await runService({ port, env })
  const toApi = (ofPort: number) => `http://127.0.0.1:${ofPort}/api/v1`
  return { service: { ...running, api: toApi(port), chatApi: toApi(chatPort) }, app, chat }
}
