import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../../platform/failure.ts'
import { type IntakeResult, type IntakeTask, transferable } from './intake-messages.ts'
import { type Pack, packRequest } from './pack-request.ts'

/** The intake's side in its thread: packs one body after the other as they come through `port`. */
export function serveIntake(port: MessagePort, pack: Pack): void {
  port.on('message', (task: IntakeTask) => {
    const result = resultOf(task, pack)
    port.postMessage(result, 'packed' in result ? transferable(result.packed.packed.parts) : [])
  })
}

function resultOf({ id, body }: IntakeTask, pack: Pack): IntakeResult {
  try {
    return { id, packed: packRequest(body, pack) }
  } catch (error) {
    if (error instanceof Failure && error.code === 'VALIDATION_ERROR' && error.status === 400) {
      return { id, refusal: error.message }
    }
    return { id, defect: error instanceof Error ? error : new Error(String(error)) }
  }
}
