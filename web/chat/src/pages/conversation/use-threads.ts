import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { selectBranch } from '../../api/chat-conversation.ts'
import { sendTurn, stopRunningReply } from '../../api/chat-stream.ts'
import { asRefusal, isSealed, joinAsDevice, sendSealedTurn } from '../../api/sealed-turn.ts'
import { useEncryptionPlace } from '../../shell/use-encryption-place.ts'
import { useProject } from '../../shell/use-project.ts'
import { randomId } from '../../thread/random-id.ts'
import { openThreadRegistry, type ThreadRegistry } from '../../thread/thread-registry.ts'
import type { Turn } from '../../thread/thread-state.ts'

/** The open conversations of the project. */
export function useThreads(): ThreadRegistry {
  const { organization, project } = useProject()
  const queryClient = useQueryClient()
  const place = useEncryptionPlace({ organization, project })
  const [threads] = useState(() => {
    const slugs = { org: organization.slug, project: project.slug }
    const refreshList = () => void queryClient.invalidateQueries({ queryKey: ['conversations'] })
    const send = async (turn: Turn, signal: AbortSignal) => {
      const sealed = await isSealed(turn.conversationId, place, project, queryClient)
      return sealed
        ? await sendSealedTurn(place, turn, signal)
        : await sendTurn(slugs, turn, signal)
    }
    return openThreadRegistry({
      send: (turn, signal) => asRefusal(send(turn, signal)),
      join: (messageId, signal) => asRefusal(joinAsDevice(place, messageId, signal)),
      stop: stopRunningReply,
      select: selectBranch,
      newId: randomId,
      nowMs: Date.now,
      nextFrame: (act) => requestAnimationFrame(act),
      leaveAfterMs: 1000,
      onBegin: refreshList,
      onTitle: refreshList,
      onEnd(conversationId) {
        refreshList()
        void queryClient.invalidateQueries({ queryKey: ['conversation', conversationId] })
      },
    })
  })
  return threads
}
